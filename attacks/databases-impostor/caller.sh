#!/bin/sh
OPEN_PASSWORD=$(cat "$ARENA/outside/password")
export OPEN_PASSWORD
exec sh "$TOOLS/with-databases.sh" "$@"
