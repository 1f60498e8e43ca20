import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allReasons, analysed, effects } from '../analyse/testing/analysed.ts';

/**
 * Command lines by what may become of them at the least, one to a line: a new case is a new line. `json:` goes before a
 * line that is a JSON string. Each folder is an outcome, each file a class.
 */
function linesOf(outcome: string): readonly (readonly [name: string, line: string, effect: string])[] {
  return globSync(`${import.meta.dirname}/${outcome}/*`).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((row) => {
        const [line = '', effect = ''] = row.split('\t');
        return [
          basename(file).replace(/\.\w+$/u, ''),
          line.startsWith('json:') ? String(JSON.parse(line.slice(5))) : line,
          effect,
        ] as const;
      }),
  );
}

const explained = (line: string): readonly string[] =>
  allReasons(analysed(line)).map(({ kind, message }) => `${kind}: ${message}`);
const unexplained = (line: string): readonly string[] =>
  explained(line).filter((reason) => !reason.startsWith('repository-code'));

describe('is understood, and only reads', () => {
  test.each(linesOf('read'))('%s: %s', (_, line) => {
    expect(explained(line)).toEqual([]);
    expect(effects(analysed(line)).filter((effect) => !effect.startsWith('read '))).toEqual([]);
  });
});

describe('is understood, and writes', () => {
  test.each(linesOf('write'))('%s: %s', (_, line) => {
    expect(unexplained(line)).toEqual([]);
    expect(effects(analysed(line)).filter((effect) => /^(?:write|delete) /u.test(effect))).not.toEqual([]);
    expect(effects(analysed(line)).filter((effect) => effect.startsWith('host '))).toEqual([]);
  });
});

describe('is understood, and reaches a host', () => {
  test.each(linesOf('network'))('%s: %s', (_, line) => {
    expect(unexplained(line)).toEqual([]);
    expect(effects(analysed(line)).filter((effect) => effect.startsWith('host '))).not.toEqual([]);
  });
});

describe('runs code of the project, and nothing else is unclear', () => {
  test.each(linesOf('code'))('%s: %s', (_, line) => {
    expect(explained(line)).not.toEqual([]);
    expect(unexplained(line)).toEqual([]);
  });
});

describe('is not understood', () => {
  test.each(linesOf('ask'))('%s: %j', (_, line) => {
    expect(unexplained(line)).not.toEqual([]);
  });
});

describe('is seen through', () => {
  test.each(linesOf('effect'))('%s: %j: %s', (_, line, effect) => {
    expect(effects(analysed(line))).toContain(effect);
  });
});

test('is as large as it says', () => {
  expect(['read', 'write', 'network', 'code', 'ask', 'effect'].flatMap(linesOf).length).toBeGreaterThanOrEqual(600);
});
