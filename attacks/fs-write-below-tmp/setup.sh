#!/bin/sh
set -eu
mkdir "$CASE/holdfast-$CANARY"
