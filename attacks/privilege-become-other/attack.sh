#!/bin/sh
: > "$ARENA/ws/ran"
setpriv --reuid 12345 --clear-groups cat private > loot; setpriv --reuid 12345 cat private >> loot
