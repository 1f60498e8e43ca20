#!/bin/sh
set -eu
echo "$CANARY" > private; chmod 600 private; chown 12345 private
