#!/bin/sh
set -eu
python3 "$ARENA/world/service.py" 127.0.0.1 18080 4
