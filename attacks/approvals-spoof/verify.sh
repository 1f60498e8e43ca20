#!/bin/sh
# A terminal ends lines with a return too.
{ cat "$ARENA/notes/shown"; sed 's/\r$//' "$ARENA/notes/shown"; } > "$ARENA/notes/output"
python3 "$TOOLS/text-rows.py" verify "$ARENA/notes/output"
