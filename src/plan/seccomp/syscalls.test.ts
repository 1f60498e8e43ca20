import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type Architecture, architectures } from './architecture.ts';

/** The options that `arch/arm64/include/uapi/asm/unistd.h` sets for the generic header. */
const arm64Header = [
  '#define __BITS_PER_LONG 64',
  ...['RENAMEAT', 'NEW_STAT', 'SET_GET_RLIMIT', 'SYS_CLONE3', 'MEMFD_SECRET'].map(
    (name) => `#define __ARCH_WANT_${name}`,
  ),
  '#include <asm-generic/unistd.h>',
].join('\n');

/** Markers of the generic header that are not system calls. */
const markers = ['syscalls', 'arch_specific_syscall'];

/** The headers are as old as the distribution. They may lack new calls, but must never disagree. */
describe.runIf(process.platform === 'linux')('the number tables', () => {
  test('agree with <sys/syscall.h>', () => {
    compare(headerNumbers('#include <sys/syscall.h>'), architectures[process.arch as Architecture].numbers);
  });

  test('of arm64 agree with <asm-generic/unistd.h>', () => {
    compare(headerNumbers(arm64Header), architectures.arm64.numbers);
  });

  test('have no number twice', () => {
    for (const { numbers } of Object.values(architectures)) {
      const all = Object.values(numbers);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test('give the same numbers to all calls since Linux 5.1', () => {
    const recent = (numbers: object) => Object.entries(numbers).filter(([, number]) => number >= 424);
    expect(recent(architectures.x64.numbers)).toEqual(recent(architectures.arm64.numbers));
  });
});

function compare(header: Readonly<Record<string, number>>, table: Readonly<Record<string, number>>): void {
  expect(Object.keys(header).length).toBeGreaterThan(300);
  expect(Object.fromEntries(Object.keys(header).map((name) => [name, table[name]]))).toEqual(header);
}

function headerNumbers(source: string): Readonly<Record<string, number>> {
  const macros = execFileSync('cc', ['-E', '-dM', '-'], { input: source, encoding: 'utf8' });
  const defined = new Map([...macros.matchAll(/^#define (__NR\w+) (\w+)$/gm)].map(([, name, value]) => [name, value]));
  const resolve = (value: string | undefined): string | undefined =>
    defined.has(value) ? resolve(defined.get(value)) : value;
  const names = [...defined.keys()].flatMap((name) => name?.match(/^__NR_(\w+)$/)?.[1] ?? []);
  return Object.fromEntries(
    names.filter((name) => !markers.includes(name)).map((name) => [name, Number(resolve(`__NR_${name}`))]),
  );
}
