# SPDX-License-Identifier: MIT
"""Lab 9: traces of broken libraries.

events     one event of a trace, and the numbered list that the student reads
arguments  whether the events that a verdict names have the form of a proof
rules      rules that no event of a correct library breaks
traces     builds the broken libraries, and chooses the student's traces by seed
verdicts   the student's verdicts: form, grades, hints
"""
