#!/bin/sh
: > "$ARENA/ws/ran"
read -r pid text flag < victim
"$TOOLS/poke" "$CASE" "$pid" "$flag"
