#!/bin/sh
# What the model says for each row, in the pieces that the row names.
set -eu
mkdir "$ARENA/ws/shown" "$ARENA/notes/replies"
chmod 777 "$ARENA/ws/shown"
python3 - "$ARENA/scripts/rows.tsv" "$ARENA/notes/replies" <<'END'
import json, os, sys
for line in open(sys.argv[1]):
    row, way, text = line.rstrip("\n").split("\t")
    head, at, tail = text.rpartition("@")
    whole = head.replace("~", "\n") + f"{os.environ['CANARY']}-{row}-" + tail.replace("~", "\n")
    size = 1 if "letters" in way else len(whole) // 2 if way == "halves" else len(whole)
    with open(os.path.join(sys.argv[2], row), "w") as reply:
        reply.writelines(json.dumps(whole[at : at + size]) + "\n" for at in range(0, len(whole), size))
END
python3 "$ARENA/world/model_service.py" 11434
