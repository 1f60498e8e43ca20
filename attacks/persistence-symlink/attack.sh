#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p innocent; echo "$CANARY" > innocent/settings.json; ln -s innocent .claude
