#!/bin/sh
set -eu
mkdir -p lib "$(dirname "$CASE")"; echo "{}" > lib/shared
# A protected name may also be a link to a file that has another name.
if [ "$CASE" = .envrc ]; then ln lib/shared lib/target; ln -s lib/target .envrc; else ln lib/shared "$CASE"; fi
