#!/bin/sh
set -eu
echo safe > "$ARENA/outside/notes"
