#!/bin/sh
set -eu
"$TOOLS/ipc" "$CASE" put "$CANARY" > name
