#!/bin/sh
grep -q "$CANARY" a/b/c/d/.cursor/mcp.json
