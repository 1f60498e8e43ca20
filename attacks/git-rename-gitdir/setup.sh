#!/bin/sh
set -eu
git init -q .; git commit -q --allow-empty -m one
