#!/bin/sh
grep -q "$CANARY" .claude/settings.json
