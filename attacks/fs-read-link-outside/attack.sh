#!/bin/sh
: > "$ARENA/ws/ran"
python3 "$TOOLS/naive-files.py" perform "$ARENA/ws/.attack/rows.tsv"
