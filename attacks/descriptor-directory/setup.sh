#!/bin/sh
set -eu
echo "$CANARY" > "$ARENA/outside/secret"
