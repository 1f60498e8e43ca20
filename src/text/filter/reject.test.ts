import { describe, expect, test } from 'vitest';
import { isHoldfastError } from '../../errors/index.ts';
import { findHidden, rejectHidden } from './reject.ts';
import { asTags } from './testing/encode.ts';

describe('a refusal names the hidden characters', () => {
  test('with their names, their place, and their payload', () => {
    expect(errorOf(`run${asTags('rm')}`)).toMatchObject({
      code: 'HF_TEXT_REJECTED',
      message: 'The text has hidden characters that carry "rm": U+E0072 U+E006D (tag) at offset 3.',
      details: { form: 'command', finding: { kind: 'tag', start: 3, end: 7 } },
    });
  });

  test('with a remedy', () => {
    expect(errorOf('a\u200bb')).toMatchObject({ remedy: expect.stringContaining('visible escapes') as string });
  });

  test('in printable characters only', () => {
    const error = errorOf('\u001b[31m\u202e\0');
    expect(isHoldfastError(error) && error.message).toMatch(/^[ -~×]*$/u);
  });
});

test.each([
  ['git status', 'command'],
  ['cat <<X\n\tdata\nX', 'command'],
  ['Ordinary text, with an emoji: 👩\u200d💻.', 'prose'],
  ['pаypal', 'name'],
  ['', 'name'],
  ['\ufeff# Title', 'prose'],
] as const)('%j passes as %s', (text, form) => {
  expect(findHidden(text, form)).toBeUndefined();
  expect(() => {
    rejectHidden(text, form);
  }).not.toThrow();
});

test('finds only the first one', () => {
  expect(findHidden('a\u200bb\u202ec', 'prose')).toEqual({ kind: 'invisible', start: 1, end: 2, what: 'U+200B' });
});

test('finds one after a byte order mark', () => {
  expect(findHidden('\ufeffa\u200b', 'prose')?.start).toBe(2);
  expect(findHidden('\ufeffa', 'command')?.start).toBe(0);
});

function errorOf(text: string): unknown {
  try {
    rejectHidden(text, 'command');
  } catch (error) {
    return error;
  }
  return undefined;
}
