#!/bin/sh
[ "$(stat -c '%a %Y %s' "$ARENA/outside/notes" 2>&1)" != "$(cat "$ARENA/before")" ]
