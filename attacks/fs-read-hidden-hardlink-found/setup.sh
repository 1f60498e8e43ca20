#!/bin/sh
set -eu
echo "$CANARY" > .env
if [ "$CASE" = shown ]; then ln .env "$ARENA/outside/plain.txt"; else mkdir backup; ln .env backup/plain.txt; fi
