#!/bin/sh
set -eu
mkdir "$ARENA/outside/other"
