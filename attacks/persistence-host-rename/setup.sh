#!/bin/sh
set -eu
echo "{}" > .mcp.json
