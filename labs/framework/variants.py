# SPDX-License-Identifier: MIT
"""Goals of which the seed chooses a variant: each `{one|other}` in the text stands for one of its alternatives."""
import re

CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")


def count(text):
    """Returns the number of variants of the text."""
    product = 1
    for alternatives in CHOICE.findall(text):
        product *= alternatives.count("|") + 1
    return product


def variant(text, number):
    """Returns variant `number` of the text, counted from 0. The first choice of the text changes fastest."""
    def chosen(match):
        nonlocal number
        alternatives = match.group(1).split("|")
        number, which = divmod(number, len(alternatives))
        return alternatives[which]
    return CHOICE.sub(chosen, text)
