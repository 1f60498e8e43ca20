import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Paths in the pages for contributors. */
function pathsOf(page: string): readonly string[] {
  const text = readFileSync(resolve(root, page), 'utf8');
  return [...text.matchAll(/`((?:src|native|scripts|test|attacks|docs|bench)\/[^`\s]*)`/gu)].map(
    ([, path = '']) => path,
  );
}

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (page) => {
  test('names existing files', () => {
    const paths = pathsOf(page);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});

/** A newcomer cannot remember a longer path. */
const longestWay = 12;

test('a way through the house has at most twelve stations', () => {
  const ways = readFileSync(resolve(root, 'ARCHITECTURE.md'), 'utf8')
    .split(/^## /mu)
    .filter((section) => section.startsWith('The way of'));
  expect(ways.map((section) => section.split('\n')[0])).toEqual([
    'The way of a plan',
    'The way of a connection',
    'The way of a write',
    'The way of a command',
  ]);
  for (const way of ways) expect(way.match(/^\d+\. /gmu)?.length).toBeLessThanOrEqual(longestWay);
});
