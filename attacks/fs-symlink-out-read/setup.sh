#!/bin/sh
set -eu
mkdir "$HOME/.aws"; echo "$CANARY" > "$HOME/.aws/credentials"
