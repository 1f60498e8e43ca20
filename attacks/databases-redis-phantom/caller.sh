#!/bin/sh
exec sh "$TOOLS/with-databases.sh" "$@"
