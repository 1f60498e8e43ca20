#!/bin/sh
set -eu
git init -q --separate-git-dir=storage .; git commit -q --allow-empty -m one
