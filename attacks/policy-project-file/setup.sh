#!/bin/sh
set -eu
[ "$CASE" = new ] || echo "version = 1" > holdfast.toml
