#!/bin/sh
set -eu
mkdir -p packages/api; echo "$CANARY" > packages/api/.env
