#!/bin/sh
set -eu
cat "/proc/sys/$CASE" > "$ARENA/saved"
