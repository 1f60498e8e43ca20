#!/bin/sh
exec python3 "$ARENA/world/service.py" 0.0.0.0 4096
