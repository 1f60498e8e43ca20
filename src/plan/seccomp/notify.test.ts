import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { notifyGroups } from '../types.ts';
import { architectures, type SyscallName } from './architecture.ts';
import { notifyFilter, type NotifyOptions } from './notify.ts';
import { renderBuiltFilters } from '../../../scripts/seccomp/render-built.ts';
import { evaluate } from './testing/evaluate.ts';
import { problemsOf } from './testing/validate.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const notify = 0x7fc0_0000;
const allow = 0x7fff_0000;
const O_CREAT = 0o100n;
const O_TRUNC = 0o1000n;

function asks({ architecture, groups }: NotifyOptions, name: SyscallName, ...args: readonly bigint[]): boolean {
  const { auditArch, numbers } = architectures[architecture];
  const answer = evaluate(notifyFilter({ architecture, groups }).slice(), {
    auditArch,
    number: numbers[name] ?? -1 >>> 0,
    args,
  });
  expect([notify, allow]).toContain(answer);
  return answer === notify;
}

const anyGroups = fc.subarray([...notifyGroups]);

describe.each(['x64', 'arm64'] as const)('the filter with a listener on %s', (architecture) => {
  test('is a program that the kernel accepts, with any groups', () => {
    fc.assert(
      fc.property(
        anyGroups.filter(({ length }) => length > 0),
        (groups) => {
          expect(problemsOf(notifyFilter({ architecture, groups }))).toEqual([]);
        },
      ),
    );
  });

  test('asks about no call outside the groups', () => {
    fc.assert(
      fc.property(
        anyGroups,
        fc.constantFrom(...(Object.keys(architectures[architecture].numbers) as SyscallName[])),
        fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { minLength: 6, maxLength: 6 }),
        (groups, name, args) => {
          const alone = groups.some((group) => asks({ architecture, groups: [group] }, name, ...args));
          expect(asks({ architecture, groups }, name, ...args)).toBe(alone);
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test('asks about nothing without groups', () => {
    for (const name of ['openat', 'mkdirat', 'kill', 'connect'] as const)
      expect(asks({ architecture, groups: [] }, name, 0n, 0n, O_CREAT)).toBe(false);
  });

  test('asks about opens only if they create a name', () => {
    expect(asks({ architecture, groups: ['creations'] }, 'openat', 0n, 0n, 0n)).toBe(false);
    expect(asks({ architecture, groups: ['creations'] }, 'openat', 0n, 0n, O_CREAT)).toBe(true);
    expect(asks({ architecture, groups: ['creations'] }, 'openat', 0n, 0n, O_TRUNC)).toBe(false);
    expect(asks({ architecture, groups: ['creations', 'truncations'] }, 'openat', 0n, 0n, O_TRUNC)).toBe(true);
    expect(asks({ architecture, groups: ['creations', 'opens'] }, 'openat', 0n, 0n, 0n)).toBe(true);
  });

  test('reads the same half of the flags as the kernel', () => {
    expect(asks({ architecture, groups: ['creations'] }, 'openat', 0n, 0n, (1n << 40n) | O_CREAT)).toBe(true);
    expect(asks({ architecture, groups: ['creations'] }, 'openat', 0n, 0n, O_CREAT << 32n)).toBe(false);
  });

  // A launcher that reports the command would wait for a listener that nobody has taken yet.
  test('asks only about messages with an address, where two groups have the call', () => {
    const groups = ['own-sockets', 'sockets'] as const;
    expect(asks({ architecture, groups }, 'sendto', 3n, 0n, 0n, 0n, 0n)).toBe(false);
    expect(asks({ architecture, groups }, 'sendto', 3n, 0n, 0n, 0n, 0x7ffd_0000_1000n)).toBe(true);
  });

  test('asks about messages with an address, at any place in memory', () => {
    expect(asks({ architecture, groups: ['sockets'] }, 'sendto', 3n, 0n, 0n, 0n, 0n)).toBe(false);
    expect(asks({ architecture, groups: ['sockets'] }, 'sendto', 3n, 0n, 0n, 0n, 0x7ffd_0000_1000n)).toBe(true);
    expect(asks({ architecture, groups: ['sockets'] }, 'sendto', 3n, 0n, 0n, 0n, 1n << 32n)).toBe(true);
  });

  test.each([
    ['creations', ['mkdirat', 'mknodat', 'symlinkat', 'linkat', 'renameat2']],
    ['deletions', ['unlinkat']],
    ['renames', ['renameat2']],
    ['truncations', ['truncate']],
    ['metadata', ['fchmodat', 'fchownat', 'utimensat', 'setxattr']],
    ['sockets', ['connect', 'bind', 'sendmsg', 'sendmmsg']],
    ['signals', ['kill', 'tkill', 'tgkill', 'pidfd_send_signal']],
    ['executions', ['execve', 'execveat']],
    ['memory-files', ['memfd_create']],
    ['descriptors', ['fchmod', 'fchown', 'fsetxattr', 'fremovexattr']],
    ['listens', ['listen']],
    ['accesses', ['faccessat', 'faccessat2', 'inotify_add_watch']],
  ] as const)('%s: %j', (group, names) => {
    for (const name of names) expect(asks({ architecture, groups: [group] }, name)).toBe(true);
    for (const name of ['read', 'write', group === 'executions' ? 'clone' : 'execve', 'close'] as const)
      expect(asks({ architecture, groups: [group] }, name)).toBe(false);
  });
});

test('the built filters match the tables (else run scripts/build-seccomp.ts)', () => {
  expect(readFileSync(new URL('built-filters.ts', import.meta.url), 'utf8')).toBe(renderBuiltFilters());
});

test('asks about the calls that only x86-64 has', () => {
  for (const name of ['creat', 'mkdir', 'mknod', 'symlink', 'link', 'rename'] as const)
    expect(asks({ architecture: 'x64', groups: ['creations'] }, name)).toBe(true);
  expect(asks({ architecture: 'x64', groups: ['creations'] }, 'open', 0n, O_CREAT)).toBe(true);
  expect(asks({ architecture: 'x64', groups: ['creations'] }, 'open', 0n, 0n)).toBe(false);
});
