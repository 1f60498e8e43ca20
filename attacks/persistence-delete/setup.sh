#!/bin/sh
set -eu
mkdir .claude; echo "{}" > .claude/settings.json
