#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/integration/viewer/colours.py <CAPTURES - what `tmux capture-pane -eN` prints, in canonical form. A line
"== NAME" begins a screen.

The way in which a screen was drawn determines where tmux puts its escapes and how many blanks end a
line, although the visible result is the same. Without -N, some versions of tmux leave out a reversed
blank at the end of a line, others do not. Prints runs of cells with one style:
"{1 38;5;213}text", with "{}" for no style. Blanks without a background have no style, and are left
out at the end of a line.
"""
import re
import sys

PARTS = re.compile(r"\x1b\[([0-9;]*)m|(.)", re.S)


def apply(codes, style):
    """Returns the style after a sequence of SGR codes: [attributes, foreground, background]."""
    codes, attributes, fg, bg = list(codes), set(style[0]), style[1], style[2]
    while codes:
        code = codes.pop(0)
        if code == "0":
            attributes, fg, bg = set(), "", ""
        elif code in ("38", "48"):
            # A colour of the palette is 38;5;N or 48;5;N.
            color = ";".join([code] + [codes.pop(0) for _ in range(2)])
            fg, bg = (color, bg) if code == "38" else (fg, color)
        elif code in ("39", "49"):
            fg, bg = ("", bg) if code == "39" else (fg, "")
        elif len(code) > 1 and code[0] in "39":
            fg = code
        elif len(code) > 1 and code[0] in "4" or code.startswith("10"):
            bg = code
        else:
            attributes.add(code)
    return attributes, fg, bg


def name(char, style):
    attributes, fg, bg = style
    if char == " " and not bg and "7" not in attributes:
        return ""
    return " ".join(sorted(attributes) + [color for color in (fg, bg) if color])


def main():
    style = (set(), "", "")
    for number, line in enumerate(sys.stdin.read().split("\n")):
        if line.startswith("== "):
            style = (set(), "", "")
            print("\n" * bool(number) + line)
            continue
        cells = []
        for codes, char in PARTS.findall(line):
            if char:
                cells.append((char, name(char, style)))
            else:
                style = apply(codes.split(";") if codes else ["0"], style)
        while cells and cells[-1] == (" ", ""):
            cells.pop()
        text, last = "", ""
        for char, kind in cells:
            text += (f"{{{kind}}}" if kind != last else "") + char
            last = kind
        print(text)


if __name__ == "__main__":
    main()
