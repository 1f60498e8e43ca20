#!/bin/sh
set -eu
"$TOOLS/listen" tcp 127.0.0.1 "$ARENA/heard" | cut -d " " -f 2 > port
