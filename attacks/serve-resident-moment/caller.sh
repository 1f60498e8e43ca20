#!/bin/sh
runtime=$ARENA/run/holdfast
case $1 in
  */holdfast)
    unset HOLDFAST_RESIDENT
    "$1" serve --resident &
    until ls "$runtime" 2> /dev/null | grep -q ^front-; do sleep 0.05; done
    # The approval is of what lies there now.
    case $CASE in
      withheld-changes) "$1" trust add .mcp.json < /dev/null > /dev/null 2>&1 ;;
    esac
    ;;
esac
"$@" || :
sh "$ARENA/scripts/change.sh"
cd "$ARENA/ws" || exit 1
"$@"
# A native box is the supervisor's: the front would have started one otherwise, with a log beside its sockets.
case " $* " in
  *"/holdfast run --backend native "*) [ ! -e "$runtime/resident.log" ] || echo "$CANARY" >> "$ARENA/ws/loot" ;;
esac
kill $(jobs -p) 2> /dev/null
wait
rm -rf "$runtime"
exit 0
