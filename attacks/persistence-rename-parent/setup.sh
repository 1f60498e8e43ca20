#!/bin/sh
set -eu
mkdir -p packages/a/.vscode; echo "{}" > packages/a/.vscode/tasks.json
