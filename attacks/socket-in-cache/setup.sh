#!/bin/sh
set -eu
mkdir -p "$HOME/.cache/watcher"
"$TOOLS/listen" stream "$HOME/.cache/watcher/service" "$ARENA/heard" > /dev/null
