import glob
import os

from rows import each, mark, note, proxy_address

SECRET = proxy_address()[1].split(":")[1].encode()


def look(row, file):
    for path in glob.glob("/proc/[0-9]*/" + file):
        try:
            with open(path, "rb") as text:
                if SECRET in text.read():
                    note("loot", mark(row) + "\n")
        except OSError:
            pass


each(look)
