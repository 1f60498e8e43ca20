#!/bin/sh
set -eu
echo safe > "$ARENA/outside/notes"
stat -c '%a %Y %s' "$ARENA/outside/notes" > "$ARENA/before"
