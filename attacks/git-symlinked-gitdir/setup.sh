#!/bin/sh
set -eu
git init -q .; git commit -q --allow-empty -m one
mv .git storage; ln -s storage .git
