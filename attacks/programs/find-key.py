"""find-key.py KEYS PATH...: for `verify.sh`. Prints every name of a line of KEYS (`NAME KEY`) and path below which the key stands.

One line for each find: NAME, a tab, PATH. A key is found in the clear, backwards, and in base64, hexadecimal, percent and JSON escapes;
UTF-16 and what was packed with zlib or gzip counts as well.
"""
import base64
import os
import re
import sys
import zlib


def spellings(key):
    clear = key.encode()
    yield clear
    yield clear[::-1]
    yield clear.decode().encode("utf-16-le")
    yield from (clear.hex().encode(), clear.hex().upper().encode())
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + clear)
        # Leaves out characters that depend on the neighbours.
        inner = encoded[(shift * 8 + 5) // 6 : len(encoded) // 4 * 4 - 4]
        yield inner
        yield inner.translate(bytes.maketrans(b"+/", b"-_"))


def unescaped(content):
    yield content
    # Larger files are memory of processes.
    if len(content) > 1 << 22:
        return
    byte = lambda match: bytes([int(match[1], 16) & 255])
    yield re.sub(rb"%([0-9A-Fa-f]{2})", byte, content)
    yield re.sub(rb"\\u([0-9A-Fa-f]{4})", byte, content)
    for start in (content.find(b"\x1f\x8b"), content.find(b"\x78\x9c")):
        if start >= 0:
            try:
                yield zlib.decompressobj(47).decompress(content[start:])
            except zlib.error:
                pass


def files_below(path):
    if os.path.isfile(path):
        yield path
    for directory, _, names in os.walk(path):
        yield from (file for file in (os.path.join(directory, name) for name in names) if os.path.isfile(file))


def main(keys_file, *paths):
    with open(keys_file) as lines:
        keys = [(name, list(spellings(key))) for name, key in (line.split() for line in lines if line.strip())]
    for path in paths:
        found = set()
        for file in files_below(path):
            with open(file, "rb") as content:
                texts = list(unescaped(content.read()))
            found |= {name for name, spelt in keys if any(spelling in text for text in texts for spelling in spelt)}
        for name in sorted(found):
            print(name, path, sep="\t")


main(*sys.argv[1:])
