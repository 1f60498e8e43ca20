#!/bin/sh
# with-proxy.sh COMMAND... -- PROXY...: runs the command with the variables that the proxy prints, and ends the proxy after it.
set -eu
count=0
for word; do
  [ "$word" != -- ] || break
  count=$((count + 1))
done
printed=$ARENA/notes/proxy
: > "$printed"
(
  shift $((count + 1))
  exec "$@" > "$printed"
) &
proxy=$!
for _ in $(seq 200); do
  if grep -q ^export.*no_proxy "$printed"; then break; fi
  kill -0 $proxy || exit 1
  sleep 0.02
done
. "$printed"
# Only the words before `--` are the command.
index=0
for word; do
  shift
  [ $index -ge $count ] || set -- "$@" "$word"
  index=$((index + 1))
done
"$@" || :
kill $proxy
wait $proxy || :
