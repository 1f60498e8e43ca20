#!/bin/sh
: > "$ARENA/ws/ran"
python3 "$TOOLS/naive-files.py" race "$ARENA/ws/.attack/rows.tsv" 1000 unchecked
