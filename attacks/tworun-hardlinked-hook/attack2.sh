#!/bin/sh
: > "$ARENA/ws/ran2"
echo "touch $ARENA/outside/pwned" >> tool
