import { describe, expect, test } from 'vitest';
import { architectures } from './architecture.ts';
import { denylist } from './denylist.ts';
import { describeSeccomp } from '../describe.ts';

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

  test('has no rule behind one that always decides', () => {
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

  test('says what is tested, in words', () => {
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

  test('leaves out what `ptrace = "allow"` lifts', () => {
    const lifted = describeSeccomp({ architecture: 'x64', ptrace: 'allow' });
    expect(rows.flatMap(({ names }) => names)).toContain('ptrace');
    expect(lifted.flatMap(({ names }) => names)).not.toContain('ptrace');
  });
});
