import { describe, expect, test } from 'vitest';
import { words } from '../testing/words.ts';
import { because, joinedText, orShell, runsJoined, inputWord } from './texts-of-words.ts';

describe('joinedText', () => {
  test('puts blanks between words, and stands where they stand', () => {
    expect(joinedText(words("rm 'a  b' c"))).toEqual({
      kind: 'static',
      value: 'rm a  b c',
      span: { start: 0, end: 11 },
    });
  });

  test.each(['rm $x', 'rm *', 'rm ~/x'])('%s is not known', (line) => {
    expect(joinedText(words(line))).toBeUndefined();
  });

  test('of no words it is empty', () => {
    expect(joinedText([])?.value).toBe('');
  });
});

test('runsJoined gives a text, or a reason with the name of the program', () => {
  expect(runsJoined('watch', words('ls -l')).scripts?.map((word) => word.kind === 'static' && word.value)).toEqual([
    'ls -l',
  ]);
  expect(runsJoined('watch', words('ls $x'))).toEqual({
    opaque: [
      { kind: 'inline-code', message: '`watch` runs a shell text that is not static', span: { start: 0, end: 5 } },
    ],
  });
});

test('because stands at the beginning where there are no words', () => {
  expect(because('stdin-code', 'm', [])).toEqual({ kind: 'stdin-code', message: 'm', span: { start: 0, end: 0 } });
});

test('unknownWord stands behind the word beside it', () => {
  expect(inputWord('x', words('abc')[0])).toEqual({
    kind: 'dynamic',
    text: 'x',
    because: 'expansion',
    span: { start: 3, end: 3 },
  });
  expect(inputWord('x', undefined).span).toEqual({ start: 0, end: 0 });
});

test('orShell has something to say only without a command', () => {
  expect(orShell('unshare')(words('ls'))).toEqual({});
  expect(orShell('unshare')([]).opaque?.[0]?.message).toContain('`unshare`');
});
