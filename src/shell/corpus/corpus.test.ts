import { describe, expect, test } from 'vitest';
import { allReasons, analysed, effects } from '../analyse/testing/analysed.ts';
import { corpusLines, outcomes } from './testing/corpus-lines.ts';

const explained = (line: string): readonly string[] =>
  allReasons(analysed(line)).map(({ kind, message }) => `${kind}: ${message}`);
const unexplained = (line: string): readonly string[] =>
  explained(line).filter((reason) => !reason.startsWith('repository-code'));

describe('is understood, and only reads', () => {
  test.each(corpusLines('read'))('%s: %s', (_, line) => {
    expect(explained(line)).toEqual([]);
    expect(effects(analysed(line)).filter((effect) => !effect.startsWith('read '))).toEqual([]);
  });
});

describe('is understood, and writes', () => {
  test.each(corpusLines('write'))('%s: %s', (_, line) => {
    expect(unexplained(line)).toEqual([]);
    expect(effects(analysed(line)).filter((effect) => /^(?:write|delete) /u.test(effect))).not.toEqual([]);
    expect(effects(analysed(line)).filter((effect) => effect.startsWith('host '))).toEqual([]);
  });
});

describe('is understood, and reaches a host', () => {
  test.each(corpusLines('network'))('%s: %s', (_, line) => {
    expect(unexplained(line)).toEqual([]);
    expect(effects(analysed(line)).filter((effect) => effect.startsWith('host '))).not.toEqual([]);
  });
});

describe('runs code of the project, and nothing else is unclear', () => {
  test.each(corpusLines('code'))('%s: %s', (_, line) => {
    expect(explained(line)).not.toEqual([]);
    expect(unexplained(line)).toEqual([]);
  });
});

describe('is not understood', () => {
  test.each(corpusLines('ask'))('%s: %j', (_, line) => {
    expect(unexplained(line)).not.toEqual([]);
  });
});

describe('is seen through', () => {
  test.each(corpusLines('effect'))('%s: %j: %s', (_, line, effect) => {
    expect(effects(analysed(line))).toContain(effect);
  });
});

test('is as large as it says', () => {
  expect(outcomes.flatMap(corpusLines).length).toBeGreaterThanOrEqual(600);
});
