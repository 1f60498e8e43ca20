import { expect, test } from 'vitest';
import { brief } from '../testing/brief.ts';

const rows: readonly (readonly [line: string, effects: string])[] = [
  ['make', 'writes:./** opaque:repository-code'],
  ['make -C sub test', 'writes:sub/** opaque:repository-code'],
  ['make -j4 all', 'writes:./** opaque:repository-code'],
  ['make -n', 'writes:./** opaque:repository-code'],
  ['make -f other.mk', 'reads:other.mk writes:./** opaque:repository-code'],
  ['make SHELL=./x', 'writes:./** opaque:inline-code|repository-code'],
  ['make CC=./x all', 'writes:./** opaque:inline-code|repository-code'],
  ["make --eval='x:;id'", 'writes:./** opaque:inline-code|repository-code'],
  ['make --frob', 'writes:./** opaque:repository-code|unknown-option'],
  ['make --ev=x', 'writes:./** opaque:repository-code|unknown-option'],
  ['cmake -S . -B build', 'reads:./** writes:build/** opaque:repository-code'],
  ['cmake --build build', 'writes:build/** opaque:repository-code'],
  ['cmake -P x.cmake', 'reads:x.cmake opaque:repository-code'],
  ['cmake -E cmd_echo', 'opaque:inline-code|repository-code'],
  ['cmake -DCMAKE_C_COMPILER=./x .', 'reads:./** opaque:inline-code|repository-code'],
  ['cmake -DCMAKE_BUILD_TYPE=Release -B build', 'writes:build/** opaque:repository-code'],
  ['cmake --frob', 'opaque:repository-code|unknown-option'],
  ['ctest --test-dir build', 'opaque:repository-code'],
  ['ninja -C build', 'writes:build/** opaque:repository-code'],
  ['ninja -f x.ninja', 'reads:x.ninja writes:./** opaque:repository-code'],
  ['ninja --frob', 'writes:./** opaque:repository-code|unknown-option'],
  ['just test', 'writes:./** opaque:repository-code'],
  ['just --shell ./x test', 'writes:./** commands:./x … opaque:inline-code|repository-code'],
  ['just -c ls -la', 'writes:./** commands:ls -la opaque:repository-code'],
  ['just --frob', 'writes:./** opaque:repository-code|unknown-option'],
  ['task build', 'writes:./** opaque:repository-code'],
  ['task -t x.yml', 'reads:x.yml writes:./** opaque:repository-code'],
  ['bazel test //...', 'writes:./** opaque:repository-code'],
  ['bazel frob', 'opaque:repository-code|unknown-tool'],
  ['meson setup build', 'writes:build/** opaque:repository-code'],
  ['meson test -C build --wrap ./x', 'writes:build/** scripts:./x opaque:repository-code'],
  ['meson frob', 'opaque:unknown-tool'],
  ['scons', 'writes:./** opaque:repository-code'],
];

test.each(rows)('%s', (line, effects) => {
  expect(brief(line)).toBe(effects);
});
