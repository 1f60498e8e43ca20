#!/bin/sh
# tool-rows.sh KIND: writes the tool of each row, runs it by $TOOL, and keeps its output in ws/loot. A tool that nobody ends
# has succeeded: it may take five times the limit of its manifest, and the time of its start.
here=$ARENA/ws
: > "$here/ran"
while IFS='	' read -r row source; do
  echo "$row" >> "$here/tried"
  case $1 in
    javascript) printf '%s\n' "$source" > "$here/.attack/tool.mjs" ;;
    wasm) cp "$here/.attack/$source.wasm" "$here/.attack/tool.wasm" ;;
  esac
  cp "$here/.attack/manifest" "$here/.attack/tool.toml"
  SECRET="$CANARY-$row-" timeout -s KILL 12 $TOOL "$here/.attack/tool.toml" --input "$CANARY-$row-" < /dev/null >> "$here/loot"
  case $? in 124 | 137) echo "$CANARY-$row-" >> "$here/loot" ;; esac
done < "$ARENA/scripts/rows.tsv"
exit 0
