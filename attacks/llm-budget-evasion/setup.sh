#!/bin/sh
set -eu
echo "sk-example-$(od -An -tx1 -N20 /dev/urandom | tr -d ' \n')" > "$ARENA/outside/key"
python3 "$ARENA/world/model_service.py" 11434
