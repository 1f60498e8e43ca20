import { expect, test } from 'vitest';
import { commentsOfC, proseOfSource } from './source-prose.ts';

test('finds comments and sentences with their line, and joins the lines of one comment', () => {
  const source = [
    '/** Says what',
    ' * holds. */',
    'const remedy = `ask ${who} about the port ${port}`; // here',
    '// one',
    '// two',
    "const program = 'rm -rf';",
  ].join('\n');
  expect(proseOfSource('a.ts', source)).toEqual([
    { kind: 'comment', line: 1, text: expect.stringMatching(/^\s*Says what\nholds\.\s*$/u) },
    { kind: 'comment', line: 3, text: ' here' },
    { kind: 'comment', line: 4, text: ' one\n two' },
    { kind: 'message', line: 3, text: 'ask x about the port x' },
  ]);
});

test('a source that does not parse is named', () => {
  expect(() => proseOfSource('a.ts', 'const = 1')).toThrow(/^a\.ts: /u);
});

test('comments of C are found with their line, without strings and characters', () => {
  const source = ['/* Says', ' * this. */', "char quote = '\"'; /* here */", 'text = "/* not */";'].join('\n');
  expect(commentsOfC(source)).toEqual([
    { kind: 'comment', line: 1, text: ' Says\nthis. ' },
    { kind: 'comment', line: 3, text: ' here ' },
  ]);
});
