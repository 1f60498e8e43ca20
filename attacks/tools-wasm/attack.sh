#!/bin/sh
exec sh "$TOOLS/tool-rows.sh" wasm
