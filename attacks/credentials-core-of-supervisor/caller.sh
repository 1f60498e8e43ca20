#!/bin/sh
# Whoever has used the key crashes: the client itself, or Holdfast.
ulimit -c unlimited
sh "$ARENA/world/with-key.sh" "$@" &
leader=$!
until [ -e "$ARENA/ws/used" ] || ! kill -0 $leader 2> /dev/null; do sleep 0.05; done
kill -ABRT $leader
wait $leader 2> /dev/null
:
