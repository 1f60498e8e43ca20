#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/reach" stream "${SSH_AUTH_SOCK:-$ARENA/home/.ssh/agent.sock}" "$CANARY"
