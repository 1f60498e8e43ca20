#!/bin/sh
set -eu
git init -q .
