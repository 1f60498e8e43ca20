#!/bin/sh
set -eu
for port in 1 53 3129; do for address in 127.0.0.1 ::1; do python3 "$ARENA/world/service.py" $address $port; done; done
