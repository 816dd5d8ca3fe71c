# SPDX-License-Identifier: MIT
"""Seeds of a term, and the files that a student hands in."""
import atexit
import hashlib
import hmac
import os
import re
import secrets
import shutil
import tarfile
import tempfile

from .course import INPUT, Stop, seed_file

PACK = (".tar.gz", ".tgz")
PACK_BYTES = 4 << 20  # maximum size of what is handed in; a file of a student takes some kB


def read_secret(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError as error:
        raise Stop("%s: %s" % (path, error.strerror), INPUT) from error


def seed_of(secret, student):
    return hmac.new(secret.encode(), student.encode(), hashlib.sha256).hexdigest()[:16]


def new_term(secret_path, students_path, out):
    """Creates the secret unless it exists, and one seed file per student."""
    if not os.path.exists(secret_path):
        with open(os.open(secret_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w",
                  encoding="utf-8") as file:
            file.write(secrets.token_hex(32) + "\n")
    secret = read_secret(secret_path)
    try:
        with open(students_path, encoding="utf-8") as file:
            students = [line.strip() for line in file if line.strip()]
    except OSError as error:
        raise Stop("%s: %s" % (students_path, error.strerror), INPUT) from error
    os.makedirs(out, exist_ok=True)
    for student in students:
        if not re.fullmatch(r"[\w.@+-]+", student):
            raise Stop("%s: '%s' is not a valid student name: use letters, digits and . @ + - _" % (
                students_path, student), INPUT)
        with open(os.path.join(out, student + ".txt"), "w", encoding="utf-8") as file:
            file.write("student: %s\nseed: %s\n" % (student, seed_of(secret, student)))
    return len(students)


def checked_seed(secret_path, path):
    """Returns the seed of a submission, which must be the seed that was issued to this student."""
    try:
        with open(path, encoding="utf-8") as file:
            fields = dict(line.strip().split(": ", 1) for line in file if ": " in line)
    except FileNotFoundError as error:
        raise Stop("no seed: the submission has no seed.txt, and there is no %s; each student gets a file from labs/lab new-term" %
                   os.path.relpath(seed_file()), INPUT) from error
    except OSError as error:
        raise Stop("%s: %s" % (path, error.strerror), INPUT) from error
    seed, student = fields.get("seed", ""), fields.get("student", "")
    if not hmac.compare_digest(seed_of(read_secret(secret_path), student), seed):
        raise Stop("%s: this is not the seed of student '%s'" % (path, student), INPUT)
    return seed


def pack(work, out):
    """Packs the files that the student hands in, and the seed."""
    names = ([work.lab.file] if work.lab.file else []) + sorted(set(work.lab.forms()))
    if work.lab.is_quiz():
        names.append("answers.txt")
    with tarfile.open(out, "w:gz") as tar:
        for name in names:
            tar.add(work.need(name), arcname=name)
        if os.path.exists(seed_file()):
            tar.add(seed_file(), arcname="seed.txt")
    return names


def plain_files(tar, path):
    """Returns the members of a submission. Refuses all but small plain files without a folder."""
    members, size = tar.getmembers(), 0
    for member in members:
        size += member.size
        if not member.isreg() or member.name != os.path.basename(member.name):
            raise Stop("%s: %s is not a plain file without a folder: pack with labs/lab submit" % (path, member.name), INPUT)
    if size > PACK_BYTES:
        raise Stop("%s: the files have %d bytes in all, but a submission has at most %d" % (path, size, PACK_BYTES), INPUT)
    return members


def unpacked(path):
    """Returns the folder of a submission: `path` itself, or a private copy of the tar.gz at `path`."""
    return private_copy(path) if os.path.isfile(path) else path


def private_copy(path):
    """Returns a folder, which exists until the program ends and which only this user may read, with the files of a submission.
    `path`: a tar.gz, or a folder with files, among which may be a tar.gz. Refuses links: they could lead to the class's secret."""
    folder = tempfile.mkdtemp(prefix="doze-lab-")
    atexit.register(shutil.rmtree, folder, True)
    packs = [path]
    if os.path.isdir(path):
        entries = sorted((e for e in os.scandir(path) if e.is_file() or e.is_symlink()), key=lambda e: e.name)
        packs = [e.path for e in entries if e.name.endswith(PACK)]
        copy_plain([e for e in entries if not e.name.endswith(PACK)], folder)
    elif not os.path.isfile(path):
        raise Stop("%s: no such submission" % path, INPUT)
    for pack_path in packs:
        unpack(pack_path, folder)
    return folder


def copy_plain(entries, folder):
    size = 0
    for entry in entries:
        size += entry.stat(follow_symlinks=False).st_size
        if entry.is_symlink():
            raise Stop("%s: a submission must not contain links" % entry.path, INPUT)
        if size > PACK_BYTES:
            raise Stop("%s: the files have more than %d bytes in all" % (os.path.dirname(entry.path), PACK_BYTES), INPUT)
        shutil.copyfile(entry.path, os.path.join(folder, entry.name))


def unpack(path, folder):
    """Unpacks a submission into the folder."""
    try:
        with tarfile.open(path) as tar:
            for member in plain_files(tar, path):
                with open(os.path.join(folder, member.name), "wb") as file:
                    shutil.copyfileobj(tar.extractfile(member), file)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise Stop("%s: neither a folder nor a tar.gz of labs/lab submit: %s" % (path, str(error).splitlines()[0].rstrip(":")), INPUT) from error
