import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appendEvents, type ModelEvent } from '../../audit/index.ts';
import { freshJournal } from '../../audit/testing/scratch.ts';
import { callsOfOthers } from './calls-of-others.ts';

const called = (session: string, model: string, more: Partial<ModelEvent> = {}): ModelEvent => ({
  type: 'model',
  session,
  workspace: '/w',
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  host: 'api.anthropic.com',
  port: 443,
  model,
  status: 200,
  usd: 1,
  prices: 'test',
  completeness: 'complete',
  duration: 1,
  toolCalls: [],
  ...more,
});
const follow = (journal: string) => callsOfOthers(journal, { session: 'own', since: 0 });
const modelsOf = (records: readonly { readonly model?: string }[]): readonly (string | undefined)[] =>
  records.map(({ model }) => model);

test('calls of others are told once, those of the session and those that were refused never', () => {
  const journal = freshJournal();
  appendEvents(journal, [
    called('other', 'a'),
    called('own', 'b'),
    called('other', 'c', { refusal: { code: 'dlp', message: '' } }),
  ]);
  const { spent, more } = follow(journal);
  expect(modelsOf(spent)).toEqual(['a']);
  expect(more()).toEqual([]);
  appendEvents(journal, [called('third', 'd'), called('own', 'e'), called('other', 'f', { operation: 'count' })]);
  expect(modelsOf(more())).toEqual(['d']);
  expect(more()).toEqual([]);
});

test('a journal that begins only then is read from its beginning', () => {
  const journal = freshJournal();
  const { spent, more } = follow(journal);
  expect([spent, more()]).toEqual([[], []]);
  appendEvents(journal, [called('other', 'a')]);
  expect(modelsOf(more())).toEqual(['a']);
});

test('what comes while the journal is rotated is told once', () => {
  const journal = freshJournal();
  appendEvents(journal, [called('other', 'a')]);
  const { more } = follow(journal);
  for (const model of ['b', 'c', 'd']) appendEvents(journal, [called('other', model)], { rotateAt: 1 });
  expect(modelsOf(more())).toEqual(['b', 'c', 'd']);
  appendEvents(journal, [called('other', 'e')], { rotateAt: 1 });
  expect(modelsOf(more())).toEqual(['e']);
});

test('half an entry is told when it is whole', () => {
  const journal = freshJournal();
  appendEvents(journal, [called('other', 'a')]);
  const { more } = follow(journal);
  const line = JSON.stringify({
    v: 2,
    seq: 9,
    time: '2026-11-22T12:00:00.000Z',
    prev: '',
    ...called('other', 'b'),
  }).slice(0, -1);
  appendFileSync(journal, line.slice(0, 80));
  expect(more()).toEqual([]);
  appendFileSync(journal, `${line.slice(80)},"mac":"${'0'.repeat(64)}"}\n`);
  expect(modelsOf(more())).toEqual(['b']);
});
