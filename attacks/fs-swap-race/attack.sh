#!/bin/sh
: > "$ARENA/ws/ran"
mkdir -p d; ln -s "$ARENA/outside" link
"$TOOLS/exchange" d link 20000 &
i=0; while [ $i -lt 500 ]; do echo x > d/pwned; i=$((i+1)); done
wait
