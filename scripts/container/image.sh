#!/bin/sh
# Builds the runtime as an image, from a root of debootstrap. It asks no registry of images.
# usage: sh scripts/container/image.sh [NAME]    as root, after `npm run setup` and scripts/debian-root.sh
# CONTAINER_STORAGE names a directory for the images; default: podman's own. IMAGE_ROOT names another root.
set -eu
cd "$(dirname "$0")/../.."
name=${1:-localhost/holdfast}
root=${IMAGE_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/holdfast/debian-root}
[ -d "$root" ] || { echo "image: no Debian root is there (run sh scripts/debian-root.sh)" >&2; exit 1; }
storage=${CONTAINER_STORAGE:+--root $CONTAINER_STORAGE/images --runroot $CONTAINER_STORAGE/state}
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
mkdir -p "$context/usr/local/bin" "$context/home/holdfast/work" "$context/etc"
chmod 755 "$context" "$context/usr" "$context/usr/local" "$context/usr/local/bin" "$context/etc"
package=$(npm pack --silent --pack-destination "$context")
npm install -g --prefix "$context/usr/local" --prefer-offline --no-audit --no-fund --loglevel=error "$context/$package" >&2
cp "$(node -p process.execPath)" "$context/usr/local/bin/node"
# Compiles the bundles for every user. A container with a read-only root could not keep what it compiles.
mkdir -p "$context/compiling/work"
for backend in native landlock; do
  (cd "$context/compiling/work" && env -i HOME="$context/compiling" PATH="$context/usr/local/bin:$PATH" HOLDFAST_RESIDENT=never holdfast run --backend "$backend" -- true) >&2 ||
    echo "image: $backend does not run on this machine, so the image compiles its code at each start" >&2
done
for table in passwd group; do cp "$root/etc/$table" "$context/etc/$table"; done
echo 'holdfast:x:1000:1000::/home/holdfast:/bin/sh' >> "$context/etc/passwd"
echo 'holdfast:x:1000:' >> "$context/etc/group"
base="$name-debian"
# shellcheck disable=SC2086
podman $storage image exists "$base" || tar -C "$root" --exclude=./var/cache/apt --exclude=./var/lib/apt/lists --exclude=./usr/share/doc -c . | podman $storage import --quiet - "$base" >&2
# shellcheck disable=SC2086
buildah $storage build --quiet --isolation chroot --build-arg BASE="$base" -f scripts/container/Containerfile -t "$name" "$context"
