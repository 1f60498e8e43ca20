#!/bin/sh
set -eu
git init -q "$ARENA/outside/lib"; git -C "$ARENA/outside/lib" commit -q --allow-empty -m one
git init -q .; git -c protocol.file.allow=always submodule --quiet add "$ARENA/outside/lib" third/party/deep/lib; git commit -q -m sub
