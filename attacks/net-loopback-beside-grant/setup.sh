#!/bin/sh
set -eu
for at in "127.0.0.1 18080" "127.0.0.1 18081" "127.0.0.1 1" "::1 18081" "127.0.0.2 18080" "93.184.215.2 18080"; do python3 "$ARENA/world/service.py" $at; done
