#!/bin/sh
exec sh "$TOOLS/tool-rows.sh" javascript
