#!/bin/sh
python3 "$TOOLS/text-rows.py" verify "$ARENA/notes/output"
