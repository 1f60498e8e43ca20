#!/bin/sh
runtime=$ARENA/run/holdfast supervisor=

# What a program that hands a connection down leaves its child.
lend='import os, socket, sys
stream = socket.socket(socket.AF_UNIX)
stream.connect(sys.argv[1])
os.dup2(stream.fileno(), 7)
os.execvp(sys.argv[2], sys.argv[2:])'

# Holdfast's own supervisor, or in the control one that looks at nobody.
supervise() {
  case $1 in
    */holdfast)
      env -u HOLDFAST_RESIDENT "$1" serve --resident &
      supervisor=$!
      ;;
    *) sh "$ARENA/scripts/listen.sh" > "$ARENA/notes/service" ;;
  esac
  until ls "$runtime" 2> /dev/null | grep -q ^front-; do sleep 0.05; done
}

leave() {
  [ -z "$supervisor" ] || kill -9 "$supervisor"
  cut -d " " -f 1 "$ARENA/notes/service" 2> /dev/null | xargs -r kill 2> /dev/null
  wait
  rm -rf "$runtime"
}

case $CASE in
  process-descriptor) exec python3 -c "$lend" "$runtime/front-0123456789abcdef.sock" "$@" ;;
  real*)
    supervise "$1"
    # A native box is the supervisor's: the front would have started one otherwise, with a log beside its sockets.
    case " $* " in
      *" --backend native "*) unset HOLDFAST_RESIDENT ;;
    esac
    "$@"
    [ ! -e "$runtime/resident.log" ] || echo "$CANARY" >> "$ARENA/ws/loot"
    leave
    ;;
  *-later)
    "$@" &
    box=$!
    until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.05; done
    sh "$ARENA/scripts/listen.sh" > "$ARENA/notes/service"
    : > "$ARENA/ws/go"
    wait $box
    sleep 0.3
    leave
    ;;
  *) exec "$@" ;;
esac
