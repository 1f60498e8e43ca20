#!/bin/sh
# Fuzzes the C programs: the launcher's plan decoder, search for secrets and walks, the files worker's requests,
# the answers to a front and the questions of a guest. Each gets a sixth of the time:
# fuzz-launcher.sh [SECONDS]. Uses libFuzzer with clang, or else gcc with a simple driver.
# Prints one line for each. Exits with 1 after a crash, and names its input.
set -eu
cd "$(dirname "$0")/.."
seconds=$(((${1:-60} + 5) / 6))
flags="-std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-unused-parameter"
export ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1
PATH=$PWD/node_modules/.bin:$PATH

# fuzz NAME SEEDS_SCRIPT SOURCE...
fuzz() {
  name=$1 seeds=$2
  shift 2
  work=$PWD/native/build/fuzz/$name # absolute: a target may work in a directory of its own
  rm -rf "$work"
  mkdir -p "$work/corpus"
  node --no-warnings "scripts/$seeds" "$work/seeds" >"$work/log"
  status=0
  if command -v clang >/dev/null && clang $flags -fsanitize=fuzzer,address,undefined -o "$work/target" "$@" 2>>"$work/log"; then
    engine=libFuzzer
    "$work/target" -max_total_time="$seconds" -max_len=65536 -print_final_stats=1 -artifact_prefix="$work/" "$work/corpus" "$work/seeds" >>"$work/log" 2>&1 || status=1
  elif ${CC:-cc} $flags -fsanitize=address,undefined -o "$work/target" "$@" native/fuzz/driver.c 2>>"$work/log"; then
    engine="the driver without coverage"
    "$work/target" "$seconds" "$work/crash-input" "$work"/seeds/* >>"$work/log" 2>&1 || status=1
  else
    cat "$work/log" >&2
    echo "fuzz-launcher: $name cannot be built: install clang, or gcc with its sanitizers" >&2
    exit 1
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
  if [ "$status" != 0 ]; then
    tail -n 40 "$work/log" >&2
    echo "fuzz-launcher: $name CRASHED ($engine); the input: $(ls "$work"/crash-* 2>/dev/null || echo 'was not kept')"
    exit 1
  fi
  echo "fuzz-launcher: no crash of $name in $runs runs of $seconds s ($engine)"
}

fuzz plan-decoder fuzz-seeds.ts native/fuzz/plan-decoder.c native/src/launch/plan/*.c
# The sources that the target does not include as text, without the program's own start.
others=$(ls native/src/files/*.c | grep -vE '/(main|malformed|input|handles|list|watch)\.c$')
fuzz files-requests fuzz-files-seeds.ts native/fuzz/files-requests.c $others
fuzz front fuzz-front-seeds.ts native/fuzz/front.c native/src/front/reply.c
fuzz guest-question fuzz-guest-seeds.ts native/fuzz/guest-question.c native/src/guest/question.c native/src/guest/script.c native/src/guest/start.c
fuzz secret fuzz-secret-seeds.ts native/fuzz/secret.c
names=native/src/launch/names
fuzz walks fuzz-walks-seeds.ts native/fuzz/walks.c $names/closed.c $names/hits.c $names/listing.c $names/match.c $names/names.c $names/scan.c $names/secret.c $names/seen.c $names/sockets.c native/src/launch/paths/*.c native/src/launch/plan/list.c native/src/launch/plan/plan.c
