#!/bin/sh
: > "$ARENA/ws/ran"
mkdir evil; echo "$CANARY" > evil/pre-commit; mount --bind evil .git/hooks || mount -t tmpfs none .git/hooks && cp evil/pre-commit .git/hooks
