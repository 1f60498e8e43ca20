#!/bin/sh
exec "$TOOLS/key-hold" "$CANARY" "$@"
