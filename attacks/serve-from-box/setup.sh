#!/bin/sh
# The server's socket, as src/serve makes it; `later` ones come when the box runs.
set -eu
case $CASE in
  *-later) ;;
  *) sh "$ARENA/scripts/listen.sh" > /dev/null ;;
esac
