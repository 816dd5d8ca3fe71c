# SPDX-License-Identifier: MIT
"""The files of the library that are answers, in a student's copy.

A student's tarball must build without showing them, so it contains them compressed, as text, in one file,
and the build unpacks them. This hides nothing from anybody who wants to know: the library is public. It
only keeps an answer from being read by accident."""
import base64
import json
import os
import zlib

from .course import LABS, ROOT

SEALED = os.path.join(LABS, "sealed.txt")


def seal(paths):
    """Returns the text of SEALED for these files, given relative to ROOT."""
    files = {}
    for path in paths:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            files[path] = file.read()
    packed = base64.encodebytes(zlib.compress(json.dumps(files).encode(), 9)).decode()
    return "# The parts of the library that the labs ask you to write. See labs/framework/sealed.py.\n" + packed


def unpack():
    """Writes the sealed files to where the makefiles expect them, unless they exist."""
    if not os.path.exists(SEALED):
        return
    with open(SEALED, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#"))
    for path, content in json.loads(zlib.decompress(base64.decodebytes(text.encode()))).items():
        target = os.path.join(ROOT, path)
        if not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(content)
