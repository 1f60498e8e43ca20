#!/bin/sh
: > "$ARENA/ws/ran"
echo "gitdir: $ARENA/outside/repo/.git" > .git
