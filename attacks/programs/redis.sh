#!/bin/sh
# redis.sh start | cli COMMAND... | stop: a Redis in `$ARENA/notes/cache`, at 127.0.0.1:6379, whose user `default` has the password of the attack.
set -eu
place=$ARENA/notes/cache
REDISCLI_AUTH=$(cat "$ARENA/outside/password")
export REDISCLI_AUTH
case $1 in
  start)
    mkdir "$place"
    redis-server --port 6379 --bind 127.0.0.1 --requirepass "$REDISCLI_AUTH" --save '' --dir "$place" --enable-protected-configs yes --daemonize yes --logfile "$place/log"
    for _ in $(seq 100); do
      ! redis-cli PING 2> /dev/null | grep -q PONG || exit 0
      sleep 0.05
    done
    exit 1
    ;;
  cli)
    shift
    redis-cli "$@"
    ;;
  stop) redis-cli SHUTDOWN NOSAVE ;;
esac
