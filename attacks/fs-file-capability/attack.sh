#!/bin/sh
: > "$ARENA/ws/ran"
cp /bin/true tool; "$TOOLS/filecap" set tool
