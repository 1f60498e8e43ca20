#!/bin/sh
: > "$ARENA/ws/ran"
$FILES perform "$ARENA/scripts/rows.tsv"
