#!/bin/sh
set -eu
mkfifo "$ARENA/outside/commands"
timeout 60 cat "$ARENA/outside/commands" > "$ARENA/heard" &
