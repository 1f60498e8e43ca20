import { describe, expect, test } from 'vitest';
import type { CgroupFacts } from '../plan/facts.ts';
import { guaranteeNames as guarantees } from '../policy/guarantees.ts';
import { missingGuarantees, namespaceGuarantees } from './backend.ts';
import { planWith } from './testing/plan.ts';

const none: CgroupFacts = { kind: 'none', reason: 'a test' };
const limits = (uid: number, cgroups: CgroupFacts) => {
  const vector = namespaceGuarantees({ uid, cgroups });
  return [vector['limits.memory'], vector['limits.processes'], vector['limits.cpu']];
};

describe('namespaceGuarantees', () => {
  test('says something of every guarantee, and only of these', () => {
    expect(Object.keys(namespaceGuarantees({ uid: 1000, cgroups: none })).toSorted()).toEqual(
      [...guarantees].toSorted(),
    );
  });

  test('counts limits as held by the kernel only where a control group counts', () => {
    expect(limits(1000, none)).toEqual(['partial', 'kernel', 'partial']);
    expect(limits(1000, { kind: 'v2', directory: '/g', controllers: ['memory', 'cpu'] })).toEqual([
      'kernel',
      'kernel',
      'kernel',
    ]);
    expect(limits(1000, { kind: 'v1', directories: { cpu: '/g' } })).toEqual(['partial', 'kernel', 'kernel']);
  });

  test('does not count RLIMIT_NPROC for uid 0, which it never stops', () => {
    expect(limits(0, none)).toEqual(['partial', 'partial', 'partial']);
    expect(limits(0, { kind: 'v1', directories: { pids: '/g' } })).toEqual(['partial', 'kernel', 'partial']);
  });
});

describe('missingGuarantees', () => {
  const vector = namespaceGuarantees({ uid: 1000, cgroups: none });

  test('names required guarantees that are missing or partial, in the order of the plan', () => {
    const plan = planWith({ requires: ['kernel.separate', 'fs.read', 'limits.memory', 'pid'] });
    expect(missingGuarantees(plan, vector)).toEqual(['kernel.separate', 'limits.memory']);
  });

  test('names nothing when all is held', () => {
    expect(missingGuarantees(planWith({ requires: ['fs.read', 'net.closed'] }), vector)).toEqual([]);
  });
});
