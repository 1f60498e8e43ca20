#!/bin/sh
set -eu
mkdir -p "$ARENA/outside/src"
printf "%s-granted-\n" "$CANARY" > "$ARENA/outside/src/granted"
printf "%s-denied-argument-\n" "$CANARY" > "$ARENA/outside/src/key.pem"
printf "%s-denied-list-\n" "$CANARY" > "$ARENA/outside/src/other.pem"
printf "%s-climbing-\n" "$CANARY" > "$ARENA/outside/climbing"
printf "%s-read-then-send-\n%s-read-then-resource-\n%s-read-then-restart-\n" "$CANARY" "$CANARY" "$CANARY" > "$ARENA/outside/src/note"
