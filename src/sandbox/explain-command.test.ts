import { describe, expect, test } from 'vitest';
import { policyIn } from '../notify/testing/policy-in.ts';
import { explainCommandLine } from './explain-command.ts';
import { commandClass, commandClasses } from './index.ts';

const cwd = '/home/dev/app';
const decisionOf = (policy: string, ...words: readonly string[]): string =>
  explainCommandLine({ policy: policyIn(cwd, policy), home: '/home/dev', workspace: cwd }, { words, cwd }).explanation
    .verdict.decision;

describe('inside a box, where nobody looks for programs', () => {
  test.each([
    [['ls -l'], 'allow'],
    [['cd src && ls'], 'allow'],
    [['curl https://example.com'], 'deny'],
    [['ls; curl https://example.com'], 'deny'],
    [['curl', 'https://example.com'], 'deny'],
    [['cd', 'src'], 'deny'],
    [['', 'x'], 'deny'],
    [['""'], 'deny'],
  ])('a list of programs says of %j: %s', (words, decision) => {
    expect(decisionOf('[commands]\nallow = ["ls"]\n', ...words)).toBe(decision);
  });
});

test('a text is read as a shell reads it, and words as they stand', () => {
  expect(commandClass('ls; touch a').kind).toBe('writes the workspace');
  expect(commandClass(['echo', '; touch a']).kind).toBe('reads');
  expect(commandClass('ls | wc')).toEqual({ kind: 'reads', because: undefined, reasons: [] });
});

test('what is the workspace, and what is a home, is told', () => {
  const options = { cwd: '/srv/a/src', workspace: '/srv/a', home: '/home/dev' };
  expect(commandClass('touch ../b', options).kind).toBe('writes the workspace');
  expect(commandClass('touch ../b', { ...options, workspace: '/srv/a/src' }).kind).toBe('changes the machine');
  expect(commandClass('rm -r /home/dev', options)).toMatchObject({
    kind: 'destroys',
    because: { why: 'deletes /home/dev', invocation: 0 },
  });
});

test('every class is listed, from weak to strong', () => {
  expect(commandClasses[0]).toBe('reads');
  expect(commandClasses).toContain(commandClass('no-such-program').kind);
});
