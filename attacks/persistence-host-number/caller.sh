#!/bin/sh
# Somebody else may get a number that was given back: then the next file is tried.
"$@" &
box=$!
until [ -e "$ARENA/ws/ran" ] || ! kill -0 $box; do sleep 0.05; done
cd "$ARENA/ws" || exit
for place in $(seq 40); do
  file=d$place/.mcp.json
  old=$(stat -c %i "$file")
  rm "$file"; echo "{ }" > "$file"
  if [ "$(stat -c %i "$file")" = "$old" ]; then echo "$file" > "$ARENA/notes/same-number"; break; fi
  rm "$file"
done
cat "$ARENA/notes/same-number" > go.new; mv go.new go
wait $box
