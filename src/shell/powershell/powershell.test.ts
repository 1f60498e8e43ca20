/**
 * These tests do not run PowerShell: the reports are handwritten in the form that the program uses, and the program
 * itself is only read. The answers of a real PowerShell must be checked on a machine that has one.
 */
import { describe, expect, test } from 'vitest';
import { anything, assert, property, string } from 'fast-check';
import { analyse } from '../analyse/analyse.ts';
import { effects, place, reasons, tree } from '../analyse/testing/analysed.ts';
import { readReport, type Report, requestLine, scriptOf, powershellProgram } from './script-of.ts';

const word = (value: string, start: number) =>
  ({ kind: 'static', text: value, value, start, end: start + value.length }) as const;
const dynamic = (text: string, start: number) => ({ kind: 'dynamic', text, start, end: start + text.length }) as const;
const command = (
  words: Report['commands'][number]['words'],
  more: Partial<Report['commands'][number]> = {},
): Report['commands'][number] => ({
  words,
  redirects: [],
  piped: false,
  top: true,
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  ...more,
});
const report = (more: Partial<Report>): Report => ({ id: 1, errors: [], strange: [], commands: [], ...more });
const analysisOf = (told: Report | undefined, text = 'text') =>
  analyse({ kind: 'parsed', script: scriptOf(told, text) }, place);

describe('requestLine', () => {
  test.each(['ls', 'a\nb', 'a\r\nb', '"', '\u{2028}', '\u{0}'])('%j is one line that says the text', (text) => {
    const line = requestLine(7, text);
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/[\r\n]/u);
    expect(JSON.parse(line)).toEqual({ id: 7, text });
  });
});

describe('readReport', () => {
  test('takes what the program gives', () => {
    const told = report({
      commands: [command([word('rm', 0), dynamic('$x', 3)], { redirects: [{ append: true, target: word('a', 8) }] })],
      errors: [{ message: 'm', start: 0, end: 1 }],
      strange: ['TrapStatementAst'],
    });
    expect(readReport(JSON.stringify(told))).toEqual(told);
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    'not JSON',
    '{"id":"1","errors":[],"strange":[],"commands":[]}',
    '{"id":1,"errors":{},"strange":[],"commands":[]}',
    '{"id":1,"errors":[{"message":1,"start":0,"end":0}],"strange":[],"commands":[]}',
    '{"id":1,"errors":[],"strange":[1],"commands":[]}',
    '{"id":1,"errors":[],"strange":[],"commands":[{}]}',
    '{"id":1,"errors":[],"strange":[],"commands":[{"words":[{"kind":"static","text":"a","start":0,"end":1}],"redirects":[],"piped":false,"top":true,"start":0,"end":1}]}',
    '{"id":1,"errors":[],"strange":[],"commands":[{"words":[{"kind":"other","text":"a","start":0,"end":1}],"redirects":[],"piped":false,"top":true,"start":0,"end":1}]}',
    '{"id":1,"errors":[],"strange":[],"commands":[{"words":[],"redirects":[],"piped":"no","top":true,"start":0,"end":1}]}',
    '{"id":1,"errors":[],"strange":[],"commands":[{"words":[],"redirects":[{}],"piped":false,"top":true,"start":0,"end":1}]}',
    '{"id":1,"errors":[],"strange":[],"commands":[{"words":[],"redirects":[],"piped":false,"top":true,"start":2,"end":1}]}',
    '{"id":1,"errors":[],"strange":[],"commands":[{"words":[],"redirects":[],"piped":false,"top":true,"start":-1,"end":1}]}',
  ])('refuses %s', (line) => {
    expect(readReport(line)).toBeUndefined();
  });

  test('never throws', () => {
    assert(property(string(), (line) => void readReport(line)));
    assert(property(anything(), (value) => void readReport(JSON.stringify(value) ?? '')));
  });
});

describe('scriptOf', () => {
  test('shows the commands, with wrappers looked into', () => {
    const analysis = analysisOf(
      report({
        commands: [
          command([word('rm', 0), word('-r', 3), word('a', 6)]),
          command([word('timeout', 9), word('5', 17), word('rm', 19), word('b', 22)]),
        ],
      }),
    );
    expect(tree(analysis)).toEqual(['0 rm -r a', '1 timeout 5 rm b', '2<1 rm b']);
    expect(effects(analysis)).toEqual(['delete /srv/project/a/**', 'delete /srv/project/b']);
  });

  test('cmdlets are programs that nothing is known of', () => {
    expect(
      reasons(
        analysisOf(report({ commands: [command([word('Remove-Item', 0), word('-Recurse', 12), word('a', 21)])] })),
      ),
    ).toEqual(['unknown-tool']);
  });

  test.each([
    [[dynamic('$x', 0)], ['dynamic-program']],
    [[word('rm', 0), dynamic('$x', 3)], ['dynamic-word']],
    [[word('rm', 0), word('*', 3)], ['dynamic-word']],
    [[word('rm', 0), word('~/a', 3)], ['dynamic-word']],
    [[word('rm', 0), word('a[1]', 3)], ['dynamic-word']],
    [[word('no-such-program', 0)], ['unknown-tool']],
  ])('words that are not known: %j', (words, kinds) => {
    expect(reasons(analysisOf(report({ commands: [command(words)] })))).toEqual(kinds);
  });

  test('redirects write', () => {
    const told = report({
      commands: [
        command([word('ls', 0)], {
          redirects: [
            { append: false, target: word('a', 5) },
            { append: true, target: word('b', 10) },
          ],
        }),
      ],
    });
    expect(effects(analysisOf(told))).toContain('write /srv/project/a');
    expect(effects(analysisOf(told))).toContain('write /srv/project/b');
  });

  test('a shell that reads a pipe runs what it reads', () => {
    expect(reasons(analysisOf(report({ commands: [command([word('sh', 0)], { piped: true })] })))).toEqual([
      'stdin-code',
    ]);
  });

  test('after cd the directory is not known', () => {
    expect(
      analysisOf(
        report({ commands: [command([word('cd', 0), word('a', 3)]), command([word('ls', 6)])] }),
      ).invocations.map(({ cwd }) => cwd),
    ).toEqual(['/srv/project', 'unknown']);
  });

  test('errors, strange nodes and silence are opaque', () => {
    expect(analysisOf(report({ errors: [{ message: 'Missing closing }', start: 1, end: 2 }] })).opaque).toEqual([
      { kind: 'syntax', message: 'Missing closing }', span: { start: 1, end: 2 } },
    ]);
    expect(analysisOf(report({ strange: ['InvokeMemberExpressionAst'] })).opaque).toMatchObject([
      { kind: 'uncovered', span: { start: 0, end: 4 } },
    ]);
    expect(analysisOf(undefined).opaque).toMatchObject([{ kind: 'shell', span: { start: 0, end: 4 } }]);
  });

  test('what is not at the top may not run', () => {
    expect(analysisOf(report({ commands: [command([word('ls', 0)], { top: false })] })).invocations[0]?.runs).toBe(
      'conditional',
    );
  });
});

describe('PowerShell within other commands', () => {
  const remove = scriptOf(report({ commands: [command([word('rm', 0), word('a', 3)])] }), 'rm a');
  const asked = (argv: readonly string[]) => {
    const texts: string[] = [];
    const analysis = analyse(
      { kind: 'argv', argv },
      { ...place, powershell: (text) => (texts.push(text), text === 'rm a' ? remove : undefined) },
    );
    return { texts, analysis };
  };

  test.each([
    ['pwsh', '-NoProfile', '-Command', 'rm a'],
    ['pwsh', '-NoProfile', '-c', 'rm', 'a'],
    ['pwsh', '-nologo', '-NOPROFILE', '-NonInteractive', '-COMMAND', 'rm a'],
    ['powershell', '-noprofile', '-c', 'rm a'],
    ['timeout', '5', 'pwsh', '-NoProfile', '-c', 'rm a'],
  ])('%s %s %s %s', (...argv) => {
    const { texts, analysis } = asked(argv);
    expect(texts).toEqual(['rm a']);
    expect(reasons(analysis)).toEqual([]);
    expect(effects(analysis)).toEqual(['delete /srv/project/a']);
  });

  test('its profile is code of the home directory', () => {
    expect(reasons(asked(['pwsh', '-c', 'rm a']).analysis)).toEqual(['repository-code']);
  });

  test('a text that it was not asked about is opaque', () => {
    const { texts, analysis } = asked(['pwsh', '-NoProfile', '-c', 'ls']);
    expect(texts).toEqual(['ls']);
    expect(reasons(analysis)).toEqual(['shell']);
  });

  test.each([
    [['pwsh']],
    [['pwsh', 'x.ps1']],
    [['pwsh', '-File', 'x.ps1']],
    [['pwsh', '-EncodedCommand', 'cm0=']],
    [['pwsh', '-NoProf', '-c', 'rm a']],
    [['pwsh', '-ExecutionPolicy', 'Bypass', '-c', 'rm a']],
    [['pwsh', '-NoProfile', '-c', '-']],
    [['pwsh', '-NoProfile', '-c']],
  ])('%j is not looked into', (argv) => {
    const { texts, analysis } = asked(argv);
    expect(texts).toEqual([]);
    expect(reasons(analysis)).toEqual(['shell']);
  });

  test('a whole text of it', () => {
    const analysis = analyse(
      { kind: 'script', text: 'rm a', shell: 'powershell' },
      { ...place, powershell: () => remove },
    );
    expect(effects(analysis)).toEqual(['delete /srv/project/a']);
  });
});

describe('the program', () => {
  test('parses, and has no way to evaluate', () => {
    expect(powershellProgram).toContain('[Management.Automation.Language.Parser]::ParseInput(');
    expect(powershellProgram).not.toMatch(
      /Invoke-Expression|\biex\b|ScriptBlock\]::Create|\.Invoke\(|Add-Type|SafeGetValue/iu,
    );
  });

  test.each([
    'InvokeMemberExpressionAst',
    'AssignmentStatementAst',
    'FunctionDefinitionAst',
    'ScriptBlockExpressionAst',
    'TrapStatementAst',
    'TypeDefinitionAst',
    'UsingStatementAst',
    'ConvertExpressionAst',
    'DynamicKeywordStatementAst',
  ])('%s is not among the harmless nodes', (name) => {
    expect(powershellProgram).not.toContain(`'${name}'`);
  });
});
