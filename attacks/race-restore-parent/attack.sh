#!/bin/sh
: > "$ARENA/ws/ran"
# It ends when a name is gone for a moment.
until [ -e "$ARENA/ws/stop" ]; do "$TOOLS/exchange" d link 10000 2> /dev/null; done
: > "$ARENA/ws/ran"
