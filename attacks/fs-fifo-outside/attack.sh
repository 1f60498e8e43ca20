#!/bin/sh
: > "$ARENA/ws/ran"
timeout 1 sh -c 'echo "$CANARY" > "$ARENA/outside/commands"'
