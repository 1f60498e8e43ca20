#!/bin/sh
"$@" &
until [ -e "$ARENA/ws/ready" ] || ! kill -0 $!; do sleep 0.02; done
while IFS='	' read -r row at; do
  echo "$row" >> "$ARENA/ws/tried"
  timeout 1 bash -c "echo $CANARY-$row- > /dev/tcp/${at% *}/${at#* }"
done < "$ARENA/scripts/rows.tsv"
sleep 0.2
: > "$ARENA/ws/done"
wait
