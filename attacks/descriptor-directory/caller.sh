#!/bin/sh
exec 9< "$ARENA/outside"
exec "$@"
