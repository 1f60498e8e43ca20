#!/bin/sh
set -eu
mkdir d; echo ours > d/file; mkdir "$ARENA/outside/sub"; echo "$CANARY" > "$ARENA/outside/file"; echo "$CANARY" > "$ARENA/outside/sub/file"
find "$ARENA/outside" -printf '%p %m %s %n %T@\n' | sort > "$ARENA/notes/outside"
