import os
import subprocess

from rows import each_answer


def fetch(row, url):
    answer = subprocess.run([*os.environ["FETCH"].split(" "), url.replace("$ARENA", os.environ["ARENA"])], capture_output=True, timeout=8).stdout
    # What the first server says on its way does not count.
    return b"" if b"for test.example" in answer.splitlines()[-1:] else answer


each_answer(fetch, workers=4)
