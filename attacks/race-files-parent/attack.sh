#!/bin/sh
: > "$ARENA/ws/ran"
$FILES race "$ARENA/scripts/rows.tsv" 1000
