import { describe, expect, test } from 'vitest';
import { policyIn } from '../notify/testing/policy-in.ts';
import { explainCommandLine } from './explain-command.ts';

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
