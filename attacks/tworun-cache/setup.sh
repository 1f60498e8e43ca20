#!/bin/sh
set -eu
mkdir -p "$HOME/.npm/_cacache"
