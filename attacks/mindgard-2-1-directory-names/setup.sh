#!/bin/sh
exec python3 "$ARENA/scripts/names.py"
