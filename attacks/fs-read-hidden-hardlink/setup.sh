#!/bin/sh
set -eu
echo "$CANARY" > .env
