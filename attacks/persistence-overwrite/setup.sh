#!/bin/sh
set -eu
mkdir -p "$(dirname "$CASE")"; echo safe > "$CASE"
