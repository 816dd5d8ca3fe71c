# SPDX-License-Identifier: MIT
"""The labs that the command line of a check names."""
from names import refuse


def chosen(given, labs, kind):
    """Returns the labs that the words name, for example `4`, `04` or `04-core-latch`, or all labs if there are no words.
    Exits with 2 if a word names none of them. `kind`: what is common to the labs."""
    known = {name: lab for lab in labs for name in (str(lab.number), "%02d" % lab.number, lab.name)}
    for word in given:
        if word not in known:
            refuse("no lab with %s is named '%s'; use one of: %s" % (kind, word, " ".join(lab.name for lab in labs)))
    return [known[word] for word in given] or labs
