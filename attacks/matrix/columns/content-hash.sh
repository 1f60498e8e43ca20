#!/bin/sh
# Stands in for `holdfast run`: no box. A client that takes nothing of a repository whose bytes nobody has approved.
holdfast=$(dirname "$0")/../../../bin/holdfast
[ "$1" = run ] || exec "$holdfast" "$@"
while [ "$1" != -- ]; do shift; done
shift
cd "$ARENA/ws" || exit 1
# Approved or not, a file is what it is now: a changed one is not approved any more.
"$holdfast" trust status --json > "$ARENA/notes/before-start"
python3 - "$ARENA/notes/before-start" <<'END'
import json
import os
import sys

for file in json.load(open(sys.argv[1]))["files"]:
    if file.get("gate") != "listed" and not file.get("approved") and os.path.lexists(file["path"]):
        os.remove(file["path"])
END
exec "$@"
