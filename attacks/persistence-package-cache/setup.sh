#!/bin/sh
set -eu
mkdir -p "$HOME/$CASE"; echo safe > "$HOME/$CASE/entry"
