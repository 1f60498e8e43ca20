#!/bin/sh
# Many names, so that many tries are on their way at once; the same ones outside, so that whatever goes astray does harm there.
set -eu
python3 - <<'END'
import os
for directory in (os.environ["OUT"], os.environ["HERE"] + "/d", os.environ["HERE"] + "/seed"):
    for number in range(8):
        os.makedirs(f"{directory}/t{number}/deep")
    for path in [f"f{n}" for n in range(64)] + [f"t{n}/deep/file" for n in range(8)]:
        with open(f"{directory}/{path}", "w") as f:
            f.write(os.environ["CANARY"] + "-ROW-" + os.environ["ROW"] + "\n" if directory == os.environ["OUT"] else "ours\n")
END
ln -s "$OUT" "$HERE/link"
