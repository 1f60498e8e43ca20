#!/bin/sh
# What a source gives is not always what it should be: each key would begin a field of its own.
set -eu
echo "sk-example-$(od -An -tx1 -N20 /dev/urandom | tr -d ' \n')" > "$ARENA/outside/key"
cd "$ARENA/outside"
printf 'key\r\nX-Added: %s-crlf-\r\nX: 1' "$CANARY" > crlf
printf 'key\nX-Added: %s-lf-\nX: 1' "$CANARY" > lf
printf 'key\rX-Added: %s-cr-' "$CANARY" > cr
printf 'key\0X-Added: %s-nul-' "$CANARY" > nul
printf 'key\302\205X-Added: %s-nel-' "$CANARY" > nel
printf 'key\304\215\304\212X-Added: %s-wide-' "$CANARY" > wide
printf 'machine api.example login x password "key\\nX-Added: %s-netrc-"\n' "$CANARY" > netrc
printf '{"token": "key\\r\\nX-Added: %s-json-"}' "$CANARY" > json
