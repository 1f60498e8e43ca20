#!/bin/sh
set -eu
echo "$CANARY" > .env; echo "{}" > .mcp.json
