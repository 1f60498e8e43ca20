import { describe, expect, test } from 'vitest';
import { namespaceGuarantees } from '../backends/backend.ts';
import { guaranteeLevel } from '../backends/lattice/vectors.ts';
import type { BackendReport } from '../sandbox/doctor/examine.ts';
import type { ProofResult } from '../sandbox/doctor/prove.ts';
import { backendsPage, type Page } from './backends.ts';

const plain = { reader: 'pipe', colours: 'plain', letters: 'unicode', width: Infinity } as const;

const vector = namespaceGuarantees({ uid: 1000, cgroups: { kind: 'none', reason: 'a test' } }, 'kernel');
const native: BackendReport = {
  name: 'native',
  presence: { kind: 'present', version: 'Linux 6.1' },
  guarantees: vector,
  level: guaranteeLevel(vector),
  start: { kind: 'works', landlockAbi: 2 },
  missing: [],
  network: { kind: 'every-port' },
};
const failing = { kind: 'fails', reason: 'it hangs \u001B[31m', remedy: 'see why' } as const;
const gvisor: BackendReport = { ...native, name: 'gvisor', start: failing, network: failing };
const microvm: BackendReport = { ...gvisor, name: 'microvm', presence: { kind: 'absent', remedy: 'install qemu' } };
const landlock: BackendReport = {
  ...native,
  name: 'landlock',
  guarantees: { ...vector, pid: 'partial' },
  level: { number: 1, name: 'restricted' },
  missing: ['pid'],
};
const proof = (result: ProofResult['result']): ProofResult => ({
  guarantee: 'pid',
  title: 'see',
  attempt: 'true',
  backend: 'landlock',
  promised: 'partial',
  result,
});
const page: Page = {
  backends: [native, landlock, gvisor, microvm],
  auto: { kind: 'chosen', name: 'native' },
  proofs: [],
};
const lineOf = (text: string, name: string) => text.split('\n').find((line) => line.startsWith(`${name} `));

describe('the page of backends', () => {
  test('has a column for each that works, and its level', () => {
    const text = backendsPage(page, {}, plain);
    expect(text.split('\n')[0]?.trim().split(/\s+/u)).toEqual(['native', 'landlock']);
    expect(lineOf(text, 'level')).toMatch(/^level +2 contained +1 restricted$/u);
    expect(lineOf(text, 'pid')).toMatch(/^pid +kernel +partial$/u);
    expect(lineOf(text, 'hardware.separate')).toMatch(/none +none$/u);
  });

  test('says of every one why it is there or not, and what auto takes', () => {
    const text = backendsPage(page, { seatbelt: 'generated, not run' }, plain);
    expect(text).toContain('native      works (Linux 6.1): Landlock ABI 2; names on every port\n');
    expect(text).toContain(
      'landlock    works (Linux 6.1): Landlock ABI 2; names on every port; not held in the kernel: pid\n',
    );
    expect(text).toContain('gvisor      does not work (Linux 6.1): it hangs ');
    expect(text).toContain('microvm     absent: install qemu\n');
    expect(text).toContain('seatbelt    generated, not run\n');
    expect(text).toContain('auto        uses native for the default policy\n');
    expect(backendsPage({ ...page, auto: { kind: 'refused', lacking: [] } }, {}, plain)).toContain(
      'auto        uses none',
    );
  });

  test('counts proofs, without attempts that showed nothing', () => {
    const text = backendsPage({ ...page, proofs: [proof('held'), proof('escaped'), proof('inconclusive')] }, {}, plain);
    expect(lineOf(text, 'pid')).toMatch(/^pid +kernel +partial 1\/2$/u);
  });

  test('is coloured only where it is wanted, and no program colours it', () => {
    expect(backendsPage(page, {}, plain)).not.toContain('\u001B');
    const coloured = backendsPage(page, {}, { ...plain, colours: 'coloured' });
    expect(coloured).toContain('\u001B[33mpartial\u001B[m');
    expect(coloured).not.toContain('\u001B[31m');
  });

  test('has no table where nothing works', () => {
    expect(backendsPage({ ...page, backends: [microvm] }, {}, plain).split('\n')[0]).toBe(
      'microvm     absent: install qemu',
    );
  });
});
