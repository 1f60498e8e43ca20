#!/bin/sh
set -eu
python3 "$TOOLS/files-rows.py" setup
