#!/bin/sh
exec python3 "$ARENA/scripts/readme.py" write
