#!/bin/sh
# Replaces `holdfast run`: no box. A client that loads only approved bytes of a repository.
holdfast=$(dirname "$0")/../../../bin/holdfast
[ "$1" = run ] || exec "$holdfast" "$@"
while [ "$1" != -- ]; do shift; done
shift
cd "$ARENA/ws" || exit 1
# An approval covers the current bytes: a changed file is no longer approved.
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
