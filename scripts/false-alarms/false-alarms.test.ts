import { expect, test } from 'vitest';
import { judge, readJudgements } from './judge.ts';
import { alarmsOfMade } from './made-alarms.ts';

test('typical repositories raise no false alarm but the known ones', async () => {
  const { alarms } = await alarmsOfMade();
  const raised = alarms.filter(({ kind }) => kind !== 'listed').map(({ path }) => path.replace('/', ': '));
  expect([...new Set(raised)].toSorted()).toMatchSnapshot();
});

test('each of their alarms is judged, and less than 2 % are wrong', async () => {
  const { counts, unjudged } = judge((await alarmsOfMade()).alarms, readJudgements());
  expect(unjudged).toEqual([]);
  for (const { kind, all, wrong } of counts) expect([kind, wrong / Math.max(all, 1) < 0.02]).toEqual([kind, true]);
});

test('an unjudged place is reported, and a wrong one counts', () => {
  const judgements = new Map([['withheld\tagents-memory\tAGENTS.md', 'wrong']] as const);
  const alarm = { kind: 'withheld', row: 'agents-memory', path: 'a/AGENTS.md' } as const;
  const { counts, unjudged } = judge([alarm, { ...alarm, path: 'new.md' }], judgements);
  expect(counts[0]).toEqual({ kind: 'withheld', all: 2, wrong: 1 });
  expect(unjudged).toEqual(['withheld\tagents-memory\tnew.md\t# new.md']);
});
