import { describe, expect, test } from 'vitest';
import { guarantees, type CgroupFacts } from '../../plan/index.ts';
import { promisedAbi } from './abi.ts';
import { landlockGuarantees } from './guarantees.ts';

const none: CgroupFacts = { kind: 'none', reason: 'a test' };
const order = { none: 0, partial: 1, kernel: 2 } as const;

describe('what Landlock alone holds', () => {
  test('says something of every guarantee, and never less with a newer ABI', () => {
    for (const guarantee of guarantees) {
      const strengths = [0, 1, 2, 3, 4, 5, 6, 7].map((abi) => order[landlockGuarantees({ uid: 1000, cgroups: none }, abi)[guarantee]]);
      expect(strengths, guarantee).toEqual(strengths.toSorted());
    }
  });

  test.each([
    ['fs.write', 3],
    ['net.names', 4],
    ['abstract-sockets', 6],
    ['signals', 6],
  ] as const)('%s is the kernel’s from ABI %i on', (guarantee, abi) => {
    const at = (version: number) => landlockGuarantees({ uid: 1000, cgroups: none }, version)[guarantee];
    expect([at(abi - 1) === 'kernel', at(abi)]).toEqual([false, 'kernel']);
  });

  test('counts processes only where a control group does', () => {
    const limits = (cgroups: CgroupFacts) => landlockGuarantees({ uid: 1000, cgroups }, 6)['limits.processes'];
    expect([limits(none), limits({ kind: 'v1', directories: { pids: '/g' } }), limits({ kind: 'v2', directory: '/g', controllers: ['pids'] }), limits({ kind: 'v2', directory: '/g', controllers: [] })]).toEqual(['partial', 'kernel', 'kernel', 'partial']);
  });
});

test.each([
  ['6.18.44-fc', 6],
  ['6.12.0', 6],
  ['6.11.9', 5],
  ['6.8.0-45-generic', 4],
  ['6.1.0-28-amd64', 2],
  ['5.15.0', 1],
  ['5.10.0', 0],
  ['10.0', 6],
  ['nonsense', 0],
] as const)('a kernel %s promises ABI %i', (release, abi) => {
  expect(promisedAbi(release)).toBe(abi);
});
