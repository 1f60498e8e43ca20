#!/bin/sh
# Fuzzes the launcher's plan decoder: fuzz-launcher.sh [SECONDS]. libFuzzer where there is clang, else gcc with a simple driver.
# Prints one line; exits with 1 when it crashed, and then names the input.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
work=native/build/fuzz
rm -rf "$work"
mkdir -p "$work/corpus"
PATH=$PWD/node_modules/.bin:$PATH
node --no-warnings scripts/fuzz-seeds.ts "$work/seeds" >"$work/log"

sources="native/fuzz/plan-decoder.c native/src/plan.c"
flags="-std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-unused-parameter"
export ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1

status=0
if command -v clang >/dev/null && clang $flags -fsanitize=fuzzer,address,undefined -o "$work/decoder" $sources 2>>"$work/log"; then
  engine=libFuzzer
  "$work/decoder" -max_total_time="$seconds" -max_len=65536 -print_final_stats=1 -artifact_prefix="$work/" "$work/corpus" "$work/seeds" >>"$work/log" 2>&1 || status=1
elif ${CC:-cc} $flags -fsanitize=address,undefined -o "$work/decoder" $sources native/fuzz/driver.c 2>>"$work/log"; then
  engine="the driver without coverage"
  "$work/decoder" "$seconds" "$work/crash-input" "$work"/seeds/* >>"$work/log" 2>&1 || status=1
else
  cat "$work/log" >&2
  echo "fuzz-launcher: it cannot be built: install clang, or gcc with its sanitizers" >&2
  exit 1
fi

runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
if [ "$status" != 0 ]; then
  tail -n 40 "$work/log" >&2
  echo "fuzz-launcher: CRASHED ($engine); the input: $(ls "$work"/crash-* 2>/dev/null || echo 'was not kept')"
  exit 1
fi
echo "fuzz-launcher: no crash in $runs runs of $seconds s ($engine)"
