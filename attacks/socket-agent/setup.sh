#!/bin/sh
set -eu
mkdir "$HOME/.ssh"
"$TOOLS/listen" stream "$HOME/.ssh/agent.sock" "$ARENA/heard" > /dev/null
