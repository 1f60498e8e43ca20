#!/bin/sh
set -eu
mkdir kept; echo "$CANARY" > kept/file
