#!/bin/sh
exec "$TOOLS/lend" "$ARENA/run/service" "$@"
