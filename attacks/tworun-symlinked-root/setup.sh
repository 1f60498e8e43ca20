#!/bin/sh
set -eu
mkdir build
