#!/bin/sh
set -eu
touch "$ARENA/notes/show"
