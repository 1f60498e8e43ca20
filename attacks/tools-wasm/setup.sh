#!/bin/sh
set -eu
cd "$ARENA/ws"
mkdir -p .attack
for body in granted loop memory; do python3 "$TOOLS/wasm-tool.py" $body > .attack/$body.wasm; done
cat > .attack/manifest <<END
name = "row"
module = "tool.wasm"
kind = "wasm"
memory = 64
deadline = 1000
END
