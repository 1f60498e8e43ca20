#!/bin/sh
: > "$ARENA/ws/ran"
. "$TOOLS/command-rows.sh"
