#!/bin/sh
set -eu
mkdir asked.d
