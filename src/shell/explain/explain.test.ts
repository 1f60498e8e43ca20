import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse/analyse.ts';
import { explainAnalysis, printableText, quotedWord } from './explain.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const place = { cwd: '/srv/project', home: '/home/dev' };
const span = { start: 0, end: 0 };
const explained = (text: string): string => explainAnalysis(analyse({ kind: 'script', text, shell: 'bash' }, place));

describe('explain', () => {
  test('shows each command under what runs it, with what it does', () => {
    expect(explained("sudo sh -c 'rm -rf build && cat a > b'")).toBe(
      [
        "sudo sh -c 'rm -rf build && cat a > b'",
        "  sh -c 'rm -rf build && cat a > b'",
        '    rm -rf build',
        '        deletes /srv/project/build and everything below',
        '    cat a   (may not run)',
        '        reads /srv/project/a',
        '        writes /srv/project/b',
        '',
      ].join('\n'),
    );
  });

  test('says what is not understood, of a command and of the whole', () => {
    expect(explained('$PROGRAM x')).toContain(
      'not understood: the program `$PROGRAM` is not known before it runs [dynamic-program]\n',
    );
    expect(explainAnalysis(analyse({ kind: 'script', text: 'x', shell: 'fish' }, place))).toBe(
      'not understood: the language of fish is not read [shell]\n',
    );
  });

  test('says that a substitution is one, and where a directory is not known', () => {
    expect(explained('rm $(cat list)')).toContain('  cat list   (its output is part of the command above)\n');
    expect(explained('cd $X; cat a')).toContain('in a directory that is not known\n');
  });

  test('names hosts, with their ports, and files that run', () => {
    expect(explained('cat < /dev/tcp/example.com/80')).toContain('reaches example.com:80\n');
    expect(explained('./build.sh')).toContain('runs /srv/project/build.sh of the project\n');
  });

  test('has room for notes of others', () => {
    const text = explainAnalysis(analyse({ kind: 'argv', argv: ['cat', 'a'] }, place), {
      notes: ({ id }) => [`number ${id}\u{1b}[2J`],
    });
    expect(text).toBe('cat a\n    reads /srv/project/a\n    number 0\\u{1b}[2J\n');
  });

  test('is empty for nothing', () => {
    expect(explained('')).toBe('');
  });

  test('shows an assignment without a command', () => {
    expect(explained('a=1')).toBe('a=1\n');
  });

  test('prints only what shows, on the lines it means', () => {
    assert(
      property(array(string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (argv) => {
        const text = explainAnalysis(analyse({ kind: 'argv', argv }, place));
        expect(text.replaceAll('\n', '')).toBe(printableText(text.replaceAll('\n', '')));
        expect(text.split('\n').filter((line) => !line.startsWith('  '))).toHaveLength(2);
      }),
      { numRuns: rounds(200) },
    );
  });
});

describe('printable', () => {
  test.each([
    ['plain', 'plain'],
    ['Größe 東京', 'Größe 東京'],
    ['a\nb', 'a\\u{a}b'],
    ['\u{1b}[31m', '\\u{1b}[31m'],
    ['a\u{202e}b', 'a\\u{202e}b'],
    ['a\u{200b}b', 'a\\u{200b}b'],
    ['a\u{a0}b', 'a\\u{a0}b'],
    ['a\u{3164}b', 'a\\u{3164}b'],
    ['\u{d800}', '\\u{d800}'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\u{2800}', '\\u{2800}'],
  ])('%j becomes %j', (text, shown) => {
    expect(printableText(text)).toBe(shown);
  });
});

describe('quoted', () => {
  test.each([
    [{ kind: 'static', value: 'a-b/c.d', span }, 'a-b/c.d'],
    [{ kind: 'static', value: '', span }, "''"],
    [{ kind: 'static', value: 'a b', span }, "'a b'"],
    [{ kind: 'static', value: "it's", span }, "'it'\\''s'"],
    [{ kind: 'static', value: '$(id)', span }, "'$(id)'"],
    [{ kind: 'static', value: '/x', lead: 'home', span }, '~/x'],
    [{ kind: 'static', value: '', lead: 'home', span }, '~'],
    [{ kind: 'static', value: '/a b', lead: 'home', span }, "~'/a b'"],
    [{ kind: 'glob', text: '*.ts', prefix: '', span }, '*.ts'],
    [{ kind: 'dynamic', text: '$(a\nb)', because: 'substitution', span }, '$(a\\u{a}b)'],
  ] as const)('%j is shown as %s', (word, shown) => {
    expect(quotedWord(word)).toBe(shown);
  });
});
