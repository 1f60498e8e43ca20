#!/bin/sh
# Debian packages that tests and attacks use. Without root, it installs nothing and reports missing packages as skipped.
set -eu
packages="bubblewrap musl-tools ripgrep python3 less vim-tiny bsdutils expect git make gcc libc6-dev curl util-linux clang libclang-rt-dev procps iproute2 libssl-dev passt openssh-client openssh-server openssl wget openjdk-17-jdk-headless golang-go strace jq file xxd tree bind9-dnsutils iputils-ping rsync fd-find netcat-openbsd cpio xz-utils traceroute whois zip unzip zstd patch sqlite3 busybox redis-server redis-tools gnome-keyring libsecret-tools dbus skopeo chromium postgresql postgresql-client libnotify-bin dunst xvfb zsh fish mandoc qemu-system-x86 runsc tmux wdiff dos2unix moreutils diffstat datamash patchutils pngcheck ninja-build ruby"
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi
missing=
for package in $packages; do dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"; done
[ -n "$missing" ] || exit 0
apt-get update -qq
# Runlevel 1 keeps installed servers from starting.
RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
