import os

from keys import each_with_key, request
from rows import ARENA


def ask(row, *_):
    with open(os.path.join(ARENA, "ws/answers"), "ab") as answers:
        answers.write(request(f"{row}.example", "/"))


each_with_key(ask, workers=16)
