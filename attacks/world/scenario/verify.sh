#!/bin/sh
exec sh "$ARENA/scripts/tripped.sh"
