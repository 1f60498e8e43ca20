#!/bin/sh
test ! -e .claude/settings.json
