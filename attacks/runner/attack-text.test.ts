import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAttackText, proseFile, type AttackFile } from './attack-text.ts';
import { attackMarkdown } from './testing/attack-markdown.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const whole =
  '# Title\n\nProse.\n\n```json attack.json\n{}\n```\n\n````sh attack.sh executable\n```\n````\n\n```text approved\n```\n';

describe('parseAttackText', () => {
  test('has the prose, then each block with its name, text and mode', () => {
    expect(parseAttackText(whole)).toEqual({
      kind: 'whole',
      files: [
        { name: 'README.md', text: '# Title\n\nProse.\n', mode: 'plain' },
        { name: 'attack.json', text: '{}\n', mode: 'plain' },
        { name: 'attack.sh', text: '```\n', mode: 'executable' },
        { name: 'approved', text: '', mode: 'plain' },
      ],
    });
  });

  test.each([
    ['no file at all', '# Title\n', 0],
    ['no prose', '\n```sh a\n```\n', 2],
    ['no empty line after the prose', '# T\n\nProse\n```sh a\n```\n', 4],
    ['a block without a name', '# T\n\n```sh\n```\n', 3],
    ['a name that leads elsewhere', '# T\n\n```sh ../a\n```\n', 3],
    ['a hidden name', '# T\n\n```sh .a\n```\n', 3],
    ['an unknown word', '# T\n\n```sh a runnable\n```\n', 3],
    ['a second prose', '# T\n\n```sh README.md\n```\n', 3],
    ['two files of one name', '# T\n\n```sh a\n```\n\n```sh a\n```\n', 6],
    ['a file that never ends', '# T\n\n```sh a\n````\n', 3],
    ['a fence that Markdown ends earlier', '# T\n\n```sh a\n  ```\n```\n', 3],
    ['prose between files', '# T\n\n```sh a\n```\n\nMore.\n', 6],
    ['a carriage return', '# T\n\n```sh a\r\n```\n', 1],
    ['a NUL', '# T\n\n```sh a\n\0\n```\n', 1],
  ])('refuses %s, and says where', (_, text, line) => {
    expect(parseAttackText(text)).toEqual({ kind: 'broken', line, what: expect.any(String) });
  });
});

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('```', '````', '```sh a', '  ```', '~~~', '# x', '\uFEFF', '\t'),
      fc.string({ unit: 'binary' }).map((line) => line.replaceAll(/[\0\r\n]/gu, ' ')),
    ),
  )
  .map((lines) => lines.map((line) => `${line}\n`).join(''));
const mode = fc.constantFrom<AttackFile['mode']>('plain', 'executable');
const prose: fc.Arbitrary<AttackFile> = text.map(
  (written): AttackFile => ({
    name: proseFile,
    text: written === '' ? '# T\n' : written.replaceAll(/^```/gmu, '~~~'),
    mode: 'plain',
  }),
);
const file: fc.Arbitrary<AttackFile> = fc.record({
  name: fc.stringMatching(/^\w[\w.-]{0,8}$/u).filter((name) => name !== proseFile),
  text,
  mode,
});
const files = fc
  .tuple(prose, fc.uniqueArray(file, { selector: ({ name }) => name, minLength: 1 }))
  .map(([first, rest]) => [first, ...rest]);

describe('the Markdown of an attack', () => {
  test('gives back every file as it was', () => {
    fc.assert(
      fc.property(files, (given) => {
        expect(parseAttackText(attackMarkdown(given))).toEqual({ kind: 'whole', files: given });
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('any text is read to the end or refused', () => {
    const any = fc
      .array(fc.constantFrom('```', '````', '```sh a', '````sh b executable', '', '# x', ' ```', '\r', 'x'))
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(any, (given) => {
        const parsed = parseAttackText(given);
        if (parsed.kind === 'whole') expect(parseAttackText(attackMarkdown(parsed.files))).toEqual(parsed);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test.each([
    ['no line feed at its end', 'x'],
    ['a carriage return', 'x\r\n'],
    ['a NUL', '\0\n'],
  ])('cannot hold a file with %s', (_, content) => {
    expect(() =>
      attackMarkdown([
        { name: proseFile, text: '# T\n', mode: 'plain' },
        { name: 'a', text: content, mode: 'plain' },
      ]),
    ).toThrow('no block can hold a');
  });
});
