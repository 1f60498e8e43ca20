import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dealt } from '../scripts/testing/extent.ts';
import { aroundBoxes, type Ended, inBox, inTheOpen, isRoot, type Report } from './peers/boxes.ts';
import type { RunCase, SharedBox } from './peers/case.ts';
import { type HostOfPeers, startHostOfPeers } from './peers/host.ts';
import { canary } from './peers/layout.ts';
import { peerSuites } from './peers/suites.ts';

const all = peerSuites.flatMap(({ peer, cases }) =>
  cases.flatMap((one) => (one.kind === 'beside' ? [] : [{ ...one, name: `${peer}: ${one.tries}` }])),
);
type Named = RunCase & { readonly name: string };
const boxes: readonly SharedBox[] = ['plain', 'network', 'commands', 'released', 'bare'];
/** Scripts of `around` spend much of their time waiting. */
const lanes = [0, 1, 2];

const isControl = (one: RunCase) =>
  one.kind === 'refused' && (one.control === 'anyone' || (one.control === 'root' && isRoot));
const groups: readonly (readonly Named[])[] = [
  ...boxes.map((box) => all.filter((one) => one.kind !== 'around' && one.box === box)),
  ...lanes.map((lane) =>
    all.filter(({ kind }) => kind === 'around').filter((_, index) => index % lanes.length === lane),
  ),
];
/** The statuses of success, and of a timeout. */
const harmless = [0, 124, 137];
/** Each change tests a third of them. */
const controls = dealt(all.filter(isControl), 3);

let host: HostOfPeers;
const ends = new Map<string, Ended>();
const inTheOpenEnds = new Map<string, Ended>();
const reports: (Report & { readonly box: string })[] = [];

async function runGroup(group: readonly Named[], box: SharedBox | undefined): Promise<void> {
  const scripts = group.map(({ script }) => script);
  const report = box === undefined ? await aroundBoxes(scripts, host) : await inBox(box, scripts, host);
  for (const [index, { name }] of group.entries()) ends.set(name, report.ended[index] as Ended);
  reports.push({ ...report, box: box ?? 'around' });
}

beforeAll(async () => {
  host = await startHostOfPeers();
  const open = inTheOpen(
    controls.map(({ script }) => script),
    host,
  ).then((ended) => {
    for (const [index, { name }] of controls.entries()) inTheOpenEnds.set(name, ended[index] as Ended);
  });
  await Promise.all([open, ...groups.map((group, index) => runGroup(group, boxes[index]))]);
});
afterAll(() => {
  host.end();
  for (const { layout } of reports) layout.project[Symbol.dispose]();
});

test('every case has a unique name', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

describe('in and around boxes', () => {
  test.each(all)('$name', (one) => {
    const { name, kind } = one;
    const { status, said } = ends.get(name) as Ended;
    expect(said).not.toContain(canary);
    if (kind === 'refused') expect(status, said).not.toBeOneOf(isControl(one) ? harmless : [...harmless, 127]);
    else expect(status, said).toBe(0);
  });
});

describe('without Holdfast, a box’s refused scripts succeed', () => {
  test.each(controls)('$name', ({ name }) => {
    const { status, said } = inTheOpenEnds.get(name) as Ended;
    expect(status, said).toBe(0);
  });
});

test('nothing changes where a box may not write', () => {
  for (const { layout, box } of reports)
    expect(layout.damage(box === 'released' ? ['.git/config'] : []), box).toEqual([]);
});
