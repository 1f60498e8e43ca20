#!/bin/sh
grep -q "$CANARY" .mcp.json
