#!/bin/sh
set -eu
python3 - "$ARENA/outside/key" "$ARENA/ws/key" <<'END'
import secrets, string, sys, zlib
alphabet = string.digits + string.ascii_uppercase + string.ascii_lowercase
body = "".join(secrets.choice(alphabet) for _ in range(30))
number, digits = zlib.crc32(body.encode()), ""
for _ in range(6):
    number, digit = divmod(number, 62)
    digits = alphabet[digit] + digits
for path in sys.argv[1:]:
    with open(path, "w") as file:
        file.write(f"ghp_{body}{digits}\n")
END
