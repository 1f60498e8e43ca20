#!/bin/sh
set -eu
git init -q node_modules/dep
