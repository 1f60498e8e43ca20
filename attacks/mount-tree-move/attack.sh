#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p here; "$TOOLS/mount-tree" move "$ARENA/outside" here
