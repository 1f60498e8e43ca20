#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p node_modules/.bin; echo "$CANARY" > node_modules/.bin/git; chmod +x node_modules/.bin/git
