#!/bin/sh
set -eu
case $CASE in
  state*) runtime=$HOME/.local/state/holdfast/run ;;
  *) runtime=$ARENA/run/holdfast ;;
esac
umask 077
mkdir -p "$runtime/approvals"
case $CASE in
  abstract) address=@$ARENA/run/holdfast/approvals/session ;;
  *) address=$runtime/approvals/session ;;
esac
"$TOOLS/listen" stream "$address" "$ARENA/notes/heard"
