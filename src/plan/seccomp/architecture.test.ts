import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { architectures, plainFilter, type SyscallName } from './architecture.ts';
import { plainRules } from '../../../scripts/seccomp/render-built.ts';
import { evaluate } from './testing/evaluate.ts';
import { problemsOf } from './testing/validate.ts';

const allow = 0x7fff_0000;
const errno = (number: number): number => 0x0005_0000 | number;
const [EPERM, ENOSYS, EPROTONOSUPPORT, EAFNOSUPPORT] = [errno(1), errno(38), errno(93), errno(97)];

describe.each(['x64', 'arm64'] as const)('the list of a box without namespaces on %s', (architecture) => {
  const { auditArch, numbers } = architectures[architecture];
  const answer = (network: 'closed' | 'names', name: SyscallName, ...args: readonly bigint[]) =>
    evaluate(plainFilter(architecture, network).slice(), { auditArch, number: numbers[name] ?? -1 >>> 0, args });

  test.each(['closed', 'names'] as const)('%s: a program that the kernel accepts', (network) => {
    expect(problemsOf(plainFilter(architecture, network))).toEqual([]);
  });

  test('a closed network has Unix sockets alone, with any value in the upper half of the register', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 64 }), fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (family, high) => {
        expect(answer('closed', 'socket', (high << 32n) | BigInt(family), 1n, 0n)).toBe(
          family === 1 ? allow : EAFNOSUPPORT,
        );
      }),
    );
  });

  test('an open network adds TCP sockets', () => {
    for (const family of [2n, 10n]) {
      expect(answer('names', 'socket', family, 0o2004001n, 6n)).toBe(allow);
      expect(answer('names', 'socket', family, 1n, 0n)).toBe(allow);
      for (const [type, protocol] of [
        [2n, 0n],
        [2n, 17n],
        [1n, 262n],
        [1n, 132n],
        [5n, 0n],
        [3n, 1n],
      ] as const)
        expect(answer('names', 'socket', family, type, protocol)).toBe(EPROTONOSUPPORT);
    }
    expect([answer('names', 'socket', 16n, 3n, 0n), answer('names', 'socket', 1n, 1n, 0n)]).toEqual([
      EAFNOSUPPORT,
      allow,
    ]);
    for (const [name, position] of [
      ['sendto', 3],
      ['sendmmsg', 3],
      ['sendmsg', 2],
    ] as const) {
      const flags = (value: bigint): readonly bigint[] =>
        Array.from({ length: 6 }, (_, at) => (at === position ? value : 0n));
      expect([answer('names', name, ...flags(0x2000_0000n)), answer('names', name, ...flags(0x4000n))]).toEqual([
        EPERM,
        allow,
      ]);
    }
  });

  test('no connection may defer its handshake to the first write', () => {
    for (const [level, name, expected] of [
      [6n, 30n, EPERM],
      [(7n << 32n) | 6n, (1n << 32n) | 30n, EPERM],
      [6n, 23n, allow],
      [1n, 30n, allow],
    ] as const)
      expect(answer('names', 'setsockopt', 3n, level, name, 0n, 4n)).toBe(expected);
  });

  test('refuses to steer other processes: by number, by group, by user', () => {
    for (const network of ['closed', 'names'] as const) {
      for (const name of ['sched_setaffinity', 'sched_setscheduler', 'sched_setparam', 'sched_setattr'] as const)
        expect([answer(network, name, 0n), answer(network, name, 9n)]).toEqual([allow, EPERM]);
      expect([
        answer(network, 'setpriority', 0n, 0n),
        answer(network, 'setpriority', 0n, 9n),
        answer(network, 'setpriority', 1n, 0n),
        answer(network, 'setpriority', 2n, 0n),
      ]).toEqual([allow, EPERM, EPERM, EPERM]);
      expect([
        answer(network, 'ioprio_set', 1n, 0n),
        answer(network, 'ioprio_set', 1n, 9n),
        answer(network, 'ioprio_set', 2n, 0n),
        answer(network, 'ioprio_set', 3n, 0n),
      ]).toEqual([allow, EPERM, EPERM, EPERM]);
    }
  });

  test('refuses IPC objects of the kernel, and flags of files', () => {
    for (const name of ['shmget', 'shmat', 'semget', 'semop', 'msgget', 'msgsnd', 'mq_open', 'mq_unlink'] as const)
      expect(answer('closed', name)).toBe(ENOSYS);
    expect([
      answer('closed', 'ioctl', 3n, 0x4008_6602n),
      answer('closed', 'ioctl', 3n, 0xffff_ffff_401c_5820n),
      answer('closed', 'ioctl', 3n, 0x5401n),
    ]).toEqual([EPERM, EPERM, allow]);
    expect(
      [
        answer('closed', 'ioctl', 3n, 0x5000_940fn),
        answer('closed', 'ioctl', 3n, 0x4008_6604n),
        answer('closed', 'ioctl', 3n, 0x4004_9409n),
      ],
      'a subvolume is removed, a file is cloned',
    ).toEqual([EPERM, EPERM, allow]);
  });
});

test('every entry has its reason', () => {
  for (const rule of [...plainRules.closed, ...plainRules.names])
    expect(rule.reason.length, rule.syscalls.join()).toBeGreaterThan(20);
});
