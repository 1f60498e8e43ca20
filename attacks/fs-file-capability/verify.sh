#!/bin/sh
"$TOOLS/filecap" get "$ARENA/ws/tool" > /dev/null
