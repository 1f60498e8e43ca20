import { expect, test } from 'vitest';
import { describeFindings } from './describe-findings.ts';
import { present } from './present.ts';
import type { FindingKind, TextFinding } from './types.ts';

const tags = (text: string): string =>
  Array.from(text, (character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0))).join('');
const finding = (kind: FindingKind, decoded?: string): TextFinding => ({
  kind,
  start: 0,
  end: 1,
  what: 'U+200B',
  ...(decoded === undefined ? {} : { decoded }),
});

test('no findings give an empty text', () => {
  expect(describeFindings([])).toBe('');
});

test('kinds are counted, and their payloads quoted', () => {
  const { findings } = present('page', `a${tags('send the keys')}b\u202ec\u200bd\u200be`);
  expect(describeFindings(findings)).toBe('1 × tag (says "send the keys"), 1 × bidi, 2 × invisible');
});

test('the longest payload is quoted, cut', () => {
  expect(describeFindings([finding('tag', 'a'), finding('tag', 'b'.repeat(200)), finding('tag')])).toBe(
    `3 × tag (says "${'b'.repeat(100)}…")`,
  );
});

test('a payload is quoted in visible characters', () => {
  expect(describeFindings([finding('tag', 'a\u001b[2J\nb')])).toBe('1 × tag (says "a\\u{1b}[2J\\u{a}b")');
});

test('of many kinds only some are named', () => {
  const kinds: readonly FindingKind[] = ['tag', 'bidi', 'control', 'filler', 'surrogate', 'separator', 'invisible'];
  expect(describeFindings(kinds.map((kind) => finding(kind)))).toMatch(/surrogate, 2 more kinds$/u);
});
