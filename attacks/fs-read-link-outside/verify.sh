#!/bin/sh
python3 "$TOOLS/files-rows.py" verify
