#!/bin/sh
set -eu
echo old > .env
