#!/bin/sh
# The supervisor's sockets, as src/serve/resident makes them; `later` ones come when the box runs.
set -eu
case $CASE in
  *-later | real*) ;;
  *) sh "$ARENA/scripts/listen.sh" > /dev/null ;;
esac
