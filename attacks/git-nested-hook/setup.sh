#!/bin/sh
set -eu
mkdir -p vendor/lib; git init -q vendor/lib; git -C vendor/lib commit -q --allow-empty -m one
