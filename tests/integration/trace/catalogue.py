#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""catalogue.py README.md METADATA - compares the catalogue with the provider.

METADATA is the text of a recording of every event (babeltrace2 -o ctf-metadata). Compares events,
their log levels, the names, order and types of their fields, and the labels of the enumerations,
both ways. Prints each difference. Exit: 0 no differences, 1 differences, 2 nothing was compared.
"""
import re
import sys

LEVELS = {6: "states", 12: "jobs", 14: "all"}
INTEGERS = {  # size, signed, base
    (32, 0, 10): "u32",
    (32, 1, 10): "i32",
    (64, 0, 10): "u64",
    (64, 0, 16): "hex",
    (8, 0, 10): "bool",
}
WORDS = {"true": 1, "false": 0, "hexadecimal": 16, "decimal": 10}


def read_catalogue(text):
    """Returns lines such as 'wake.cause: enum cause' in the order of the file, and the labels of
    the enums."""
    lines, enums, section, event, level = [], {}, None, None, None
    for line in text.splitlines():
        head = re.match(r"(##+) (.*)", line)
        row = re.match(r"\| (\w+) \| ([\w ]+?) \|", line)
        if head:
            section = head[2]
            named = re.match(r"Events of level `(\w+)`", head[2])
            level = named[1] if named else level if head[1] == "###" else None
            event = head[2] if head[1] == "###" and level else None
            if event:
                lines.append(f"{event}: level {level}")
        elif row and event and row[1] != "field":
            lines.append(f"{event}.{row[1]}: {row[2]}")
        elif row and section == "Words" and row[1] != "enum":
            enums[row[1]] = row[2].split()
    return lines, enums


def integer_type(body):
    # LTTng 2.15 and later leave out what is the default of CTF 1.8.
    value = {"signed": 0, "base": 10}
    for key, text in re.findall(r"(size|signed|base) = (\w+)", body):
        value[key] = WORDS.get(text) if text in WORDS else int(text)
    return INTEGERS.get((value["size"], value["signed"], value["base"]), "integer of another kind")


def read_event(block, enums):
    """Parses one `event { … };` of the metadata. Enumerations are recognised by their labels."""
    name = re.search(r'name = "doze:(\w+)"', block)[1]
    level = int(re.search(r"loglevel = (\d+)", block)[1])
    yield f"{name}: level {LEVELS.get(level, level)}"
    field = re.compile(
        r"(?:(?P<enum>enum : integer \{[^}]*\} \{(?P<labels>[^}]*)\})"
        r"|(?P<integer>integer \{[^}]*\})|(?P<string>string)) _?(?P<name>\w+);"
    )
    for f in field.finditer(block):
        if f["enum"]:
            labels = sorted(re.findall(r'"(\w+)" = (\d+)', f["labels"]), key=lambda label: int(label[1]))
            in_order = [label for i, (label, value) in enumerate(labels) if int(value) == i]
            names = [n for n, known in enums.items() if known == in_order]
            kind = "enum " + (names[0] if names else "of no known labels: " + " ".join(in_order))
        else:
            kind = "string" if f["string"] else integer_type(f["integer"])
        yield f"{name}.{f['name']}: {kind}"


def read_metadata(text, enums):
    lines = []
    for block in re.findall(r"^event \{\n(.*?)^\};", text, re.M | re.S):
        if 'name = "doze:' in block:
            lines.extend(read_event(block, enums))
    return lines


def main():
    catalogue, enums = read_catalogue(open(sys.argv[1], encoding="utf-8").read())
    provider = read_metadata(open(sys.argv[2], encoding="utf-8").read(), enums)
    if not catalogue or not provider or not enums:
        print(f"nothing to compare: {len(catalogue)} lines, {len(provider)}, {len(enums)} enums")
        return 2
    wrong = [f"only in the catalogue: {x}" for x in catalogue if x not in provider]
    wrong += [f"only in the provider: {x}" for x in provider if x not in catalogue]
    for event in {x.split(":")[0] for x in catalogue if "." not in x}:
        if not wrong:
            ours, theirs = ([x for x in y if x.startswith(event + ".")] for y in (catalogue, provider))
            if ours != theirs:
                wrong.append(f"{event}: the fields are in a different order")
    used = {x.split(": enum ")[1] for x in provider if ": enum " in x}
    wrong += [f"enum {x} is in the catalogue, but in no event" for x in enums if x not in used]
    print("\n".join(wrong) if wrong else f"{len(catalogue)} lines agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
