#!/bin/sh
set -eu
mkdir -p packages/app "$ARENA/outside/app"
