#!/bin/sh
set -eu
ln -s "$ARENA/outside" assets
