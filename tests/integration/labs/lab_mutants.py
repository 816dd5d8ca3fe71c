# SPDX-License-Identifier: MIT
"""Reads the wrong solutions of the labs, which are mutants: mutants/NN-name*.mutants."""
import os

from framework.mutantfile import read_series

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants")


def mutants_of(lab):
    """Returns {name: mutant} of the lab with this name."""
    return read_series(os.path.join(FOLDER, lab + "*.mutants"))
