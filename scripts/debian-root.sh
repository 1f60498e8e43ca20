#!/bin/sh
# Makes the root of a clean Debian without a compiler, once: test/package/debian-root.test.ts installs the package into copies of it.
# usage: sh scripts/debian-root.sh    as root; takes minutes. Prints where it is.
set -eu
root=${XDG_CACHE_HOME:-$HOME/.cache}/holdfast/debian-root
if [ ! -d "$root" ]; then
  command -v debootstrap >/dev/null || { echo "debian-root: debootstrap is missing (Debian: apt-get install debootstrap)" >&2; exit 1; }
  mkdir -p "$(dirname "$root")"
  rm -rf "$root.new"
  debootstrap --variant=minbase bookworm "$root.new" >&2
  mv "$root.new" "$root"
fi
echo "$root"
