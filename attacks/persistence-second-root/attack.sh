#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > "$ARENA/outside/other/.envrc"
