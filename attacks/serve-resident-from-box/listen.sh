#!/bin/sh
# What a supervisor that looks at nobody would be: both of its sockets.
set -eu
case $CASE in
  state*) runtime=$HOME/.local/state/holdfast/run ;;
  *) runtime=$ARENA/run/holdfast ;;
esac
umask 077
mkdir -p "$runtime"
for kind in front serve; do
  address=$runtime/$kind-0123456789abcdef.sock
  case $CASE in
    abstract*) address=@$address ;;
  esac
  "$TOOLS/listen" stream "$address" "$ARENA/notes/heard"
done
