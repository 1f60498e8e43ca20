#!/bin/sh
set -eu
mkdir tmp
"$TOOLS/listen" "$([ "$CASE" = sendto ] && echo dgram || echo stream)" "$ARENA/ws/tmp/service" "$ARENA/heard" > /dev/null
