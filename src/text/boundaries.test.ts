import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { boundaries, type Boundary } from './present.ts';

const page = readFileSync(new URL('../../docs/text.md', import.meta.url), 'utf8');

function becomes(boundary: Boundary): string {
  if (boundary.kind === 'path') return 'escaped';
  if (boundary.mode === 'reject') return 'refused';
  return boundary.escapes === 'colours' ? 'shown; colours stay' : 'shown';
}

function formOf(boundary: Boundary): string {
  return boundary.kind === 'path' ? 'name' : boundary.form;
}

test.each(Object.entries(boundaries))('the page says how "%s" treats a text', (name, boundary) => {
  expect(page).toContain(`\n| \`${name}\` | ${boundary.what} | ${formOf(boundary)} | ${becomes(boundary)} |`);
});

test('the page names no other boundary', () => {
  const named = [...page.matchAll(/^\| `([a-z-]+)` \|.*\| (?:escaped|refused|shown)/gmu)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(Object.keys(boundaries).toSorted());
});
