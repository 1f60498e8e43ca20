#!/bin/sh
# with-dashboard.sh HOLDFAST|- COMMAND...: runs a command while a dashboard is open. Its link is in `link`. `-` is a dashboard that trusts everyone.
# The dashboard's journal holds the canary.
server=$1
shift
if [ "$server" = - ]; then
  python3 "$TOOLS/naive-dashboard.py" "$CANARY" > "$ARENA/ws/link" &
else
  "$server" run --workspace "$ARENA/ws" -- true "$CANARY"
  "$server" dashboard --no-open > "$ARENA/ws/link" &
fi
leader=$!
until [ -s "$ARENA/ws/link" ] || ! kill -0 $leader 2> /dev/null; do sleep 0.05; done
"$@"
status=$?
kill $leader
wait $leader 2> /dev/null
exit $status
