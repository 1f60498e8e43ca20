#!/bin/sh
set -eu
mkdir asked; echo "$CANARY" > asked/file; echo plain > plain.txt
