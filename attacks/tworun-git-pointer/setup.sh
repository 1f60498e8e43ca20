#!/bin/sh
set -eu
git init -q "$ARENA/outside/repo"
