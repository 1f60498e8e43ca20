#!/bin/sh
set -eu
python3 "$TOOLS/text-rows.py" pages "$ARENA/outside/pages"
python3 -m http.server 8090 --bind 127.0.0.1 --directory "$ARENA/outside/pages" > /dev/null 2>&1 &
for _ in 1 2 3 4 5 6 7 8 9 10; do curl -s -o /dev/null http://127.0.0.1:8090/ && exit 0; sleep 0.3; done
exit 1
