#!/bin/sh
exec sh "$ARENA/world/with-key.sh" "$@"
