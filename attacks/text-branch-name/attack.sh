#!/bin/sh
: > "$ARENA/ws/ran"
git init -q repository && cd repository && git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first
python3 "$TOOLS/text-rows.py" each git -c user.name=a -c user.email=a@example.com commit -q --allow-empty --cleanup=verbatim -m
python3 "$TOOLS/text-rows.py" each git branch -q 2> /dev/null
git branch --list; git for-each-ref; git log --decorate
