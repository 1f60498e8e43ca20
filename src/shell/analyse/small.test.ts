import { describe, expect, test } from 'vitest';
import { parseScript } from '../parse/parse-script.ts';
import { callOf, relocated } from './open.ts';
import { both, noEffects, reachesHost, reason, readsPath, runsCode, writesPath } from './builtins.ts';
import { doubtsOf, languageOf, notTold } from './languages.ts';

describe('both', () => {
  const read = readsPath({ use: 'read', scope: 'file', path: '/a', text: 'a' });
  const write = writesPath({ use: 'write', scope: 'file', path: '/a', text: 'a' });

  test('has the effects of each', () => {
    const span = { start: 0, end: 1 };
    const all = [
      read,
      write,
      reachesHost({ host: 'h', port: undefined, text: 'h' }),
      runsCode({ what: 'x', kind: 'program' }),
      reason('syntax', 'm', { span }),
      read,
    ].reduce(both, noEffects);
    expect(all).toEqual({
      reads: [...read.reads, ...read.reads],
      writes: write.writes,
      hosts: [{ host: 'h', port: undefined, text: 'h' }],
      runs: [{ what: 'x', kind: 'program' }],
      opaque: [{ kind: 'syntax', message: 'm', span }],
    });
  });

  test('with nothing is the other one', () => {
    expect(both(noEffects, read)).toBe(read);
    expect(both(read, noEffects)).toBe(read);
  });
});

describe('callOf', () => {
  const callsOf = (text: string): readonly string[] => {
    const script = parseScript(text);
    return script.invocations.map((command) =>
      callOf(command, { defined: script.defined, wanders: false, language: 'bash' }, text),
    );
  };

  test.each([
    ['f() { :; }; f', ['program', 'function']],
    ['f () { :; }\nf', ['program', 'function']],
    ['function f { :; }; f', ['program', 'function']],
    ['f; f() { :; }', ['either', 'program']],
    ['true && f() { :; }; f', ['program', 'program', 'either']],
    ['a.b() { :; }; a.b', ['program', 'function']],
    ['ff() { :; }; f() { :; } ; f', ['program', 'program', 'function']],
  ])('%s: %j', (text, calls) => {
    expect(callsOf(text)).toEqual(calls);
  });
});

test.each([
  ['for PATH in a; do b; done', ['`PATH` selects the code that runs']],
  ['ls; : ${LD_PRELOAD:=x}', ['`LD_PRELOAD` selects the code that runs']],
  ['for i in a; do b; done', []],
  ['[[ a ]]', []],
])('doubtsOf(%j) names a variable: %j', (text, messages) => {
  expect(doubtsOf(text).map(({ message }) => message)).toEqual(messages);
});

test.each([
  ['bash', 'bash'],
  ['sh', 'posix'],
  ['powershell', 'powershell'],
  ['zsh', undefined],
  ['cmd', undefined],
  ['fish', undefined],
  ['unknown', undefined],
] as const)('languageOf(%s) is %s', (shell, language) => {
  expect(languageOf(shell)).toBe(language);
});

test('a text that PowerShell was not asked about is opaque', () => {
  expect(notTold('ls')).toMatchObject({ invocations: [], opaque: [{ kind: 'shell', span: { start: 0, end: 2 } }] });
});

test('relocated moves every place and nothing else', () => {
  const [command] = parseScript('A=1 cat x > y < z').invocations;
  const span = { start: 7, end: 9 };
  const moved = relocated(command!, span);
  expect(JSON.stringify(moved).match(/"start":7,"end":9/gu)?.length).toBe(
    JSON.stringify(command).match(/"start":/gu)?.length,
  );
  const unplaced = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === 'span' ? undefined : part)));
  expect(unplaced(moved)).toEqual(unplaced(command));
});
