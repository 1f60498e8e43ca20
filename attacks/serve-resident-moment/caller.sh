#!/bin/sh
runtime=$ARENA/run/holdfast supervisor=
case $1 in
  */holdfast)
    env -u HOLDFAST_RESIDENT "$1" serve --resident &
    supervisor=$!
    until ls "$runtime" 2> /dev/null | grep -q ^front-; do sleep 0.05; done
    # The approval is of what lies there now.
    case $CASE in
      withheld-changes) "$1" trust add .mcp.json < /dev/null > /dev/null 2>&1 ;;
    esac
    ;;
esac
# A native box is the supervisor's: the front would have started one otherwise, with a log beside its sockets.
case " $* " in
  *"/holdfast run --backend native "*) unset HOLDFAST_RESIDENT ;;
esac
"$@" || :
sh "$ARENA/scripts/change.sh"
cd "$ARENA/ws" || exit 1
"$@"
[ ! -e "$runtime/resident.log" ] || echo "$CANARY" >> "$ARENA/ws/loot"
[ -z "$supervisor" ] || kill -9 "$supervisor"
wait
rm -rf "$runtime"
exit 0
