#!/bin/sh
set -eu
mkfifo "$ARENA/input"
