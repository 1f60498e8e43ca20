#!/bin/sh
grep -q "$CANARY" packages/a/.vscode/tasks.json
