#!/bin/sh
set -eu
echo x > "$ARENA/outside/secret"
