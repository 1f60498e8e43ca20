#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/handle" open . "$(cat handle)" > loot
