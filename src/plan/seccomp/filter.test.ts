import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeSeccomp } from '../describe.ts';
import { type Architecture, architectures, type SyscallName } from './architecture.ts';
import { unpackProgram } from './assemble.ts';
import { builtFilters } from './built-filters.ts';
import { denylist } from './denylist.ts';
import { filterVariants, seccompFilter, type SeccompOptions } from './filter.ts';
import { buildFilter } from '../../../scripts/seccomp/render-built.ts';
import { answers } from './testing/answers.ts';
import type { Call } from './testing/call.ts';
import { evaluate } from './testing/evaluate.ts';
import { expectedAction } from './testing/expected.ts';
import { problemsOf } from './testing/validate.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const variants: readonly SeccompOptions[] = (['x64', 'arm64'] as const).flatMap((architecture) =>
  Object.values(filterVariants).map((options): SeccompOptions => ({ architecture, ...options })),
);
const deny = (architecture: Architecture): SeccompOptions => ({ architecture, ptrace: 'deny' });

/** The answer to a call by name, as `allow`, `kill` or an errno. */
function ask(options: SeccompOptions, name: SyscallName, ...args: readonly bigint[]): string {
  const { auditArch, numbers } = architectures[options.architecture];
  const number = numbers[name];
  if (number === undefined) throw new Error(`${options.architecture} has no ${name}`);
  return inWords(evaluate(seccompFilter(options).bytes, { auditArch, number, args }));
}

function inWords(answer: number): string {
  return Object.keys(answers).find((name) => answers[name] === answer) ?? `0x${answer.toString(16)}`;
}

describe.each(variants)('without memory files, $architecture with ptrace $ptrace, nesting $nesting', (options) => {
  const without = { ...options, memoryFiles: 'none' } as const;

  test('memfd_create is missing, and the list answers all other calls', () => {
    const { bytes } = seccompFilter(without);
    const { auditArch, numbers } = architectures[options.architecture];
    expect(problemsOf(bytes)).toEqual([]);
    expect(ask(options, 'memfd_create')).toBe('allow');
    expect(ask(without, 'memfd_create')).toBe('ENOSYS');
    for (let number = 0; number < 1200; number += 1)
      if (number !== numbers.memfd_create) agree(options, bytes, { auditArch, number, args: [] });
  });
});

describe.each(variants)('the filter for $architecture with ptrace $ptrace, nesting $nesting', (options) => {
  const { bytes, instructions } = seccompFilter(options);
  const { auditArch } = architectures[options.architecture];

  test('is compiled from the list (else run scripts/build-seccomp.ts)', () => {
    const built = builtFilters[`${options.architecture}-${options.nesting === 'runtime' ? 'nested' : options.ptrace}`];
    expect(unpackProgram(built)).toEqual(buildFilter(options));
  });

  test('is a program that the kernel accepts, with no dead code', () => {
    expect(problemsOf(bytes)).toEqual([]);
    expect(instructions).toBe(bytes.length / 8);
  });

  test('answers every number like the list, without arguments', () => {
    for (let number = 0; number < 1200; number += 1) agree(options, bytes, { auditArch, number, args: [] });
  });

  test('answers every call like the list', () => {
    fc.assert(
      fc.property(calls(options), (call) => agree(options, bytes, call)),
      { numRuns: rounds(5000) },
    );
  });
});

function agree(options: SeccompOptions, bytes: Uint8Array, call: Call): void {
  expect({ call, answer: inWords(evaluate(bytes, call)) }).toEqual({ call, answer: expectedAction(options, call) });
}

/** Mostly calls that a rule names, with arguments near the values that it tests. Otherwise any call. */
function calls({ architecture }: SeccompOptions): fc.Arbitrary<Call> {
  const { auditArch, numbers } = architectures[architecture];
  const tested = [...new Set(denylist.flatMap((rule) => rule.syscalls))].flatMap((name) => numbers[name] ?? []);
  const constants = [
    ...new Set(denylist.flatMap((rule) => (rule.when ?? []).flatMap(({ values }) => Object.values(values)))),
  ];
  const near = fc.tuple(
    fc.constantFrom(0, ...constants),
    fc.constantFrom(0, ...constants),
    fc.constantFrom(-1n, 0n, 0n, 0n, 1n),
  );
  const argument = fc.oneof(
    near.map(([one, , step]) => BigInt.asUintN(64, BigInt(one) + step)),
    near.map(([one, other]) => BigInt(one) | BigInt(other)),
    near.map(([one, other, step]) => BigInt.asUintN(64, BigInt(one) | BigInt(other) | (step << 32n))),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  );
  return fc.record({
    auditArch: fc.oneof(
      { weight: 30, arbitrary: fc.constant(auditArch) },
      fc.constantFrom(0, 0x4000_0003, 0x4000_0028, 0xc000_003e, 0xc000_00b7),
    ),
    number: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...tested) },
      fc.nat(600),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      fc.constantFrom(0x3fff_ffff, 0x4000_0000, 0x4000_0001, 0xffff_fffe, 0xffff_ffff),
    ),
    args: fc.array(argument, { minLength: 6, maxLength: 6 }),
  });
}

/** `linux/netlink.h`: everything but NETLINK_ROUTE, and one above the last. */
const netlink = Array.from({ length: 23 }, (_, index) => BigInt(index + 1)).concat(0x1_0000_0010n);

/** Written by hand, so that an error in the data shows: the compiled program and the reference share the data. */
describe.each(['x64', 'arm64'] as const)('on %s', (architecture) => {
  const options = deny(architecture);

  test.each<[SyscallName, readonly bigint[], string]>([
    ['read', [], 'allow'],
    ['execve', [], 'allow'],
    ['clone3', [], 'ENOSYS'],
    ['clone', [0x0120_0011n], 'allow'],
    ['clone', [0x003d_0f00n], 'allow'],
    ['clone', [0x1000_0011n], 'EPERM'],
    ['clone', [0x7fff_0000_1000_0011n], 'EPERM'],
    ['unshare', [0x400n], 'allow'],
    ['unshare', [0x80n], 'EPERM'],
    ['unshare', [0x1000_0000n], 'EPERM'],
    ['unshare', [0x1_0000_0000n], 'EPERM'],
    ['setns', [], 'EPERM'],
    ['prlimit64', [0n, 7n, 1n << 32n, 0n], 'allow'],
    ['prlimit64', [5n, 7n, 0n, 1n], 'allow'],
    ['prlimit64', [1n, 7n, 1n << 32n, 0n], 'EPERM'],
    ['prlimit64', [5n, 7n, 1n, 0n], 'EPERM'],
    ['mount', [], 'EPERM'],
    ['open_tree_attr', [], 'EPERM'],
    ['io_uring_setup', [], 'ENOSYS'],
    ['bpf', [], 'EPERM'],
    ['keyctl', [], 'EPERM'],
    ['open_by_handle_at', [], 'EPERM'],
    ['name_to_handle_at', [], 'ENOSYS'],
    ['vmsplice', [], 'ENOSYS'],
    ['splice', [], 'allow'],
    ['tee', [], 'allow'],
    ['ioctl', [0n, 0x5412n], 'EPERM'],
    ['fcntl', [3n, 0x400n, 1n], 'EPERM'],
    ['fcntl', [3n, 0x7fff_0000_0410n, 1n], 'EPERM'],
    ['fcntl', [3n, 0x406n, 1n], 'allow'],
    ['ioctl', [0n, 0xdead_0000_5412n], 'EPERM'],
    ['ioctl', [0n, 0x541cn], 'EPERM'],
    ['ioctl', [0n, 0x5423n], 'EPERM'],
    ['ioctl', [0n, 0x5413n], 'allow'],
    ['ioctl', [0n, 0x540en], 'allow'],
    ['socket', [1n, 1n, 0n], 'allow'],
    ['socket', [1n, 0x8_0805n, 0n], 'allow'],
    ['socket', [2n, 0x8_0801n, 6n], 'allow'],
    ['socket', [10n, 2n, 17n], 'allow'],
    ['socket', [0x1_0000_0002n, 1n, 0n], 'allow'],
    ['socket', [2n, 3n, 1n], 'EPERM'],
    ['socket', [2n, 0x8_0003n, 255n], 'EPERM'],
    ['socket', [2n, 10n, 0x300n], 'EPERM'],
    ['socket', [2n, 1n, 262n], 'EPROTONOSUPPORT'],
    ['socket', [2n, 1n, 132n], 'EPROTONOSUPPORT'],
    ['socket', [2n, 2n, 1n], 'EPROTONOSUPPORT'],
    ['socket', [16n, 3n, 0n], 'allow'],
    ...netlink.map((protocol): [SyscallName, bigint[], string] => ['socket', [16n, 3n, protocol], 'EPROTONOSUPPORT']),
    ['socket', [17n, 3n, 0n], 'EAFNOSUPPORT'],
    ['socket', [38n, 5n, 0n], 'EAFNOSUPPORT'],
    ['socket', [40n, 1n, 0n], 'EAFNOSUPPORT'],
    ['socket', [0x1_0000_0028n, 1n, 0n], 'EAFNOSUPPORT'],
    ['socketpair', [1n, 2n, 0n], 'allow'],
    ['socketpair', [30n, 1n, 0n], 'EAFNOSUPPORT'],
    ['personality', [0xffff_ffffn], 'allow'],
    ['personality', [0n], 'allow'],
    ['personality', [0x8n], 'allow'],
    ['personality', [0x4_0000n], 'allow'],
    ['personality', [0x4_0008n], 'allow'],
    ['personality', [0x6n], 'EPERM'],
    ['personality', [0x2_0000n], 'EPERM'],
    ['personality', [0x20_0000n], 'EPERM'],
    ['personality', [0x800_0008n], 'EPERM'],
    ['personality', [0x10_0000n], 'EPERM'],
    ['personality', [0x40_0000n], 'EPERM'],
    ['prctl', [38n, 1n], 'allow'],
    ['prctl', [35n, 13n], 'EPERM'],
    ['prctl', [0x1_0000_0023n, 13n], 'EPERM'],
    ['fchmod', [3n, 0o755n], 'allow'],
    ['fchmod', [3n, 0o2775n], 'allow'],
    ['fchmod', [3n, 0o4755n], 'EPERM'],
    ['fchmodat', [3n, 0n, 0o4755n], 'EPERM'],
    ['fchmodat2', [3n, 0n, 0o104755n], 'EPERM'],
    ['openat', [0n, 0n, 0o102n, 0o644n], 'allow'],
    ['openat', [0n, 0n, 0o102n, 0o4755n], 'EPERM'],
    ['openat', [0n, 0n, 0o2020_0002n, 0o4755n], 'EPERM'],
    ['openat', [0n, 0n, 0n, 0o4755n], 'allow'],
    ['openat2', [], 'ENOSYS'],
    ['setxattrat', [], 'ENOSYS'],
    ['removexattrat', [], 'ENOSYS'],
    ['file_setattr', [], 'ENOSYS'],
    ['getxattrat', [], 'allow'],
    ['mknodat', [0n, 0n, 0o1_0644n], 'allow'],
    ['mknodat', [0n, 0n, 0o2_0644n], 'EPERM'],
    ['mknodat', [0n, 0n, 0o6_0644n], 'EPERM'],
    ['mknodat', [0n, 0n, 0o10_4755n], 'EPERM'],
    ['move_pages', [0n], 'allow'],
    ['move_pages', [1n], 'EPERM'],
    ['mbind', [], 'allow'],
    ['seccomp', [1n, 8n], 'allow'],
    ['landlock_restrict_self', [], 'allow'],
    ['ptrace', [], 'EPERM'],
    ['process_vm_readv', [], 'EPERM'],
    ['pidfd_getfd', [], 'EPERM'],
  ])('%s(%s) is %s', (name, args, action) => {
    expect(ask(options, name, ...args)).toBe(action);
  });

  test('`ptrace = "allow"` opens tracing and nothing else', () => {
    const changed = Object.keys(architectures[architecture].numbers).filter((name) => {
      const ones = Array.from({ length: 6 }, () => 1n);
      const denied = ask(options, name as SyscallName, ...ones);
      return denied !== ask({ architecture, ptrace: 'allow' }, name as SyscallName, ...ones);
    });
    expect(changed.toSorted()).toEqual([
      'kcmp',
      'migrate_pages',
      'move_pages',
      'pidfd_getfd',
      'process_madvise',
      'process_mrelease',
      'process_vm_readv',
      'process_vm_writev',
      'ptrace',
    ]);
  });
});

test('the filter of a nested sandbox also allows namespaces and mounts, and nothing else', () => {
  const namespace = 0x1000_0000n;
  const opened = Object.keys(architectures.x64.numbers).filter((name) => {
    const words = [namespace, 1n, 1n, 1n, 1n, 1n];
    return (
      ask({ architecture: 'x64', ptrace: 'allow' }, name as SyscallName, ...words) !==
      ask({ architecture: 'x64', ...filterVariants.nested }, name as SyscallName, ...words)
    );
  });
  expect(opened.toSorted()).toEqual(['chroot', 'clone', 'mount', 'pivot_root', 'umount2']);
});

test.each(['x64', 'arm64'] as const)(
  'the filter of a nested sandbox on %s allows no cgroup namespace, alone or among others',
  (architecture) => {
    for (const flags of [0x0200_0000n, 0x7e02_0000n])
      expect(ask({ architecture, ...filterVariants.nested }, 'clone', flags)).toBe('EPERM');
    expect(ask({ architecture, ...filterVariants.nested }, 'clone', 0x7c02_0000n)).toBe('allow');
  },
);

describe('foreign and future calls', () => {
  const x64 = seccompFilter(deny('x64')).bytes;
  const arm64 = seccompFilter(deny('arm64')).bytes;
  const native = (number: number): Call => ({ auditArch: 0xc000_003e, number, args: [] });

  test.each<{ what: string; bytes: Uint8Array; call: Call; action: string }>([
    { what: 'read through i386', bytes: x64, call: { auditArch: 0x4000_0003, number: 3, args: [] }, action: 'kill' },
    { what: 'read through x32', bytes: x64, call: native(0x4000_0000), action: 'kill' },
    { what: 'the last x32 number', bytes: x64, call: native(0xffff_fffe), action: 'kill' },
    { what: 'a call that a tracer answered', bytes: x64, call: native(0xffff_ffff), action: 'allow' },
    { what: 'x32 execve without the x32 bit', bytes: x64, call: native(520), action: 'ENOSYS' },
    { what: 'a gap of the table', bytes: x64, call: native(400), action: 'ENOSYS' },
    { what: 'listns, of Linux 6.19', bytes: x64, call: native(470), action: 'ENOSYS' },
    {
      what: 'read through 32-bit ARM',
      bytes: arm64,
      call: { auditArch: 0x4000_0028, number: 3, args: [] },
      action: 'kill',
    },
    { what: 'x86-64 on arm64', bytes: arm64, call: native(0), action: 'kill' },
    {
      what: 'listns on arm64',
      bytes: arm64,
      call: { auditArch: 0xc000_00b7, number: 470, args: [] },
      action: 'ENOSYS',
    },
  ])('$what: $action', ({ bytes, call, action }) => {
    expect(inWords(evaluate(bytes, call))).toBe(action);
  });
});

describe('the reviewed list', () => {
  test('gives a reason for every entry', () => {
    for (const rule of denylist) expect(rule.reason.length, rule.syscalls.join()).toBeGreaterThan(20);
  });

  test('tests only values of 32 bits, and masks that can match them', () => {
    for (const test of denylist.flatMap((rule) => rule.when ?? [])) {
      for (const value of Object.values(test.values)) {
        expect(value >>> 0).toBe(value);
        if ('mask' in test && test.mask !== undefined) expect((value & test.mask) >>> 0).toBe(value);
      }
    }
  });

  test('has no rule after an unconditional one', () => {
    const decided = new Set<string>();
    for (const rule of denylist) {
      for (const name of rule.syscalls) expect(decided).not.toContain(name);
      if (rule.when === undefined) for (const name of rule.syscalls) decided.add(name);
    }
  });
});

describe('describeSeccomp', () => {
  const rows = describeSeccomp({ architecture: 'x64', ptrace: 'deny' });

  test('names only calls of the architecture', () => {
    const arm64 = describeSeccomp({ architecture: 'arm64', ptrace: 'deny' });
    const unknown = arm64.flatMap(({ names }) => names).filter((name) => !(name in architectures.arm64.numbers));
    expect(unknown).toEqual([]);
    expect(rows.flatMap(({ names }) => names)).toContain('iopl');
    expect(arm64.flatMap(({ names }) => names)).not.toContain('iopl');
  });

  test('describes the tested values in words', () => {
    expect(rows).toContainEqual({
      names: ['ioctl'],
      when: 'op is one of TIOCSTI, TIOCLINUX',
      action: 'EPERM',
      reason: 'types into the terminal: the user’s shell would run it after the box has ended',
    });
  });

  test('begins with foreign ABIs and ends with numbers without a name', () => {
    expect([rows[0]?.action, rows.at(-1)?.action]).toEqual(['kill', 'ENOSYS']);
  });

  test('leaves out the rules that `ptrace = "allow"` lifts', () => {
    const lifted = describeSeccomp({ architecture: 'x64', ptrace: 'allow' });
    expect(rows.flatMap(({ names }) => names)).toContain('ptrace');
    expect(lifted.flatMap(({ names }) => names)).not.toContain('ptrace');
  });
});
