#!/bin/sh
"$@" &
until [ -e "$ARENA/ws/ready" ] || ! kill -0 $!; do sleep 0.02; done
timeout 0.5 bash -c "echo $CANARY > /dev/tcp/$(case $CASE in 0.0.0.0) echo 127.0.0.1 ;; *) echo $CASE ;; esac)/8000"
wait
