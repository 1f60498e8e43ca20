#!/bin/sh
set -eu
case $CASE in
  state*) runtime=$HOME/.local/state/holdfast/run ;;
  *) runtime=$ARENA/run/holdfast ;;
esac
umask 077
mkdir -p "$runtime"
case $CASE in
  abstract) address=@$ARENA/run/holdfast/serve.sock ;;
  *) address=$runtime/serve.sock ;;
esac
"$TOOLS/listen" stream "$address" "$ARENA/notes/heard"
