#!/bin/sh
# A person in another terminal who says yes to what is asked, after a while.
case $1 in
  */holdfast) ;;
  *) HELD="sh $ARENA/outside/held" exec "$@" ;;
esac
holdfast=$1
"$holdfast" approvals watch > "$ARENA/notes/questions" 2>&1 &
person=$!
until find "$ARENA" -path '*/approvals' -type d 2> /dev/null | grep -q . || ! kill -0 $person; do sleep 0.05; done
"$@" &
box=$!
while kill -0 $box 2> /dev/null; do
  id=$(sed -n 's/.*"kind":"asked".*"id":"\([0-9a-f]*\)".*/\1/p' "$ARENA/notes/questions" | head -n 1)
  if [ -n "$id" ]; then
    sleep 1.5
    "$holdfast" approvals allow "$id" --once > "$ARENA/notes/answer" 2>&1
    break
  fi
  sleep 0.1
done
wait $box
kill $person 2> /dev/null
wait $person
