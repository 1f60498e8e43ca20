#!/bin/sh
# The session's socket, as src/approvals/socket makes it; `later` ones come with the first question.
set -eu
case $CASE in
  *-later) ;;
  *) sh "$ARENA/scripts/listen.sh" > /dev/null ;;
esac
