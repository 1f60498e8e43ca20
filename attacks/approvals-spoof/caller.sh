#!/bin/sh
# A person looks on in another terminal, and answers nothing.
case $1 in
  */holdfast)
    exec 8<> "$ARENA/keys"
    script -qfec "stty columns 80; exec $1 approvals watch" "$ARENA/notes/shown" <&8 > /dev/null 8<&- &
    person=$!
    until grep -q 'waiting for questions' "$ARENA/notes/shown"; do sleep 0.05; done
    "$@"
    kill $person 2> /dev/null
    wait $person
    ;;
  *) PATH=$ARENA/outside/naive:$PATH "$@" ;;
esac
