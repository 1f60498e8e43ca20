#!/bin/sh
cd third/party/deep/lib && git commit -q --allow-empty -m two; test -e "$ARENA/outside/pwned"
