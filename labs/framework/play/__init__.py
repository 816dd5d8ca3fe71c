# SPDX-License-Identifier: MIT
"""The game of labs/lab play: the student is the scheduler."""
