#!/bin/sh
set -eu
# Two spellings of one key: as it is, and with escapes of JSON.
python3 - "$ARENA/outside/spellings" "$ARENA/ws/key" <<'END'
import secrets, string, sys, zlib
alphabet = string.digits + string.ascii_uppercase + string.ascii_lowercase
body = "".join(secrets.choice(alphabet) for _ in range(30))
number, digits = zlib.crc32(body.encode()), ""
for _ in range(6):
    number, digit = divmod(number, 62)
    digits = alphabet[digit] + digits
key = "ghp_" + body + digits
with open(sys.argv[1], "w") as file:
    file.write(key + "\n" + "".join(f"\\u{ord(each):04x}" for each in key) + "\n")
with open(sys.argv[2], "w") as file:
    file.write(key + "\n")
END
