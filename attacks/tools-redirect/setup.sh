#!/bin/sh
set -eu
cd "$ARENA/ws"
mkdir -p .attack
cat > .attack/manifest <<END
name = "row"
module = "tool.mjs"
kind = "javascript"
deadline = 10000
hosts = ["test.example"]
END
