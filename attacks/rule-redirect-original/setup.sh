#!/bin/sh
set -eu
mkdir real spare; echo "$CANARY" > real/file; echo spare > spare/file; ln -s real/file link
