#!/bin/sh
# Makes the root of a clean Debian without a compiler, once. test/package/debian-root.test.ts installs the package into copies of it.
# usage: sh scripts/debian-root.sh [NAME PACKAGE,…]    as root; takes minutes. Prints its path.
# NAME `pod` is the root of the image for pods, with the packages that scripts/nightly.sh names.
set -eu
root=${XDG_CACHE_HOME:-$HOME/.cache}/holdfast/debian-root${1:+-$1}
if [ ! -d "$root" ]; then
  command -v debootstrap >/dev/null || { echo "debian-root: debootstrap is missing (Debian: apt-get install debootstrap)" >&2; exit 1; }
  mkdir -p "$(dirname "$root")"
  rm -rf "$root.new"
  debootstrap --variant=minbase ${2:+"--include=$2"} bookworm "$root.new" >&2
  mv "$root.new" "$root"
fi
echo "$root"
