import { describe, expect, test } from 'vitest';
import { approvalOf } from '../socket/testing/served.ts';
import { askApproval, type TerminalDecision } from './ask-approval.ts';
import type { Terminal } from './terminal.ts';

interface Asked {
  readonly result: TerminalDecision;
  readonly shown: string;
}

/** A person who types these lines; undefined is Ctrl-C. */
async function asked(
  approval: Parameters<typeof askApproval>[0],
  typed: readonly (string | undefined)[],
  signal = new AbortController().signal,
): Promise<Asked> {
  let shown = '';
  const lines = [...typed];
  const terminal: Terminal = {
    columns: 80,
    show: (text) => void (shown += text),
    line: () =>
      lines.length === 0 && !signal.aborted
        ? Promise.reject(new Error('it was asked more than was answered'))
        : Promise.resolve(lines.shift()),
    close: () => undefined,
  };
  return { result: await askApproval(approval, { signal, open: () => terminal }), shown };
}

const always = { file: '/home/dev/.config/holdfast/policy.toml', text: '[[command]]\nname = "x"\ndecision = "allow"' };
const one = approvalOf(1);

describe('a question', () => {
  test.each([
    ['o', { kind: 'decided', decision: 'once' }],
    ['s', { kind: 'decided', decision: 'session' }],
    ['d', { kind: 'decided', decision: 'deny' }],
    [' d ', { kind: 'decided', decision: 'deny' }],
    [undefined, { kind: 'none', because: 'interrupted' }],
  ] as const)('that is answered with %s', async (typed, expected) => {
    expect((await asked(one, [typed])).result).toEqual(expected);
  });

  test.each(['', 'y', 'oo', 'O', 'allow', 'a'])('is not answered with %j', async (typed) => {
    expect((await asked(one, [typed, 'd'])).result).toEqual({ kind: 'decided', decision: 'deny' });
  });

  test('shows the request, the rule and its place', async () => {
    const { shown } = await asked(approvalOf(1, { waiting: 3 }), ['d']);
    for (const text of [
      'holdfast asks: run step 1',
      '  | one\n  | two',
      '  | rule r in /policy.toml:3',
      'workspace /home/dev/app, session s',
      '3 processes wait',
      'cannot be allowed forever',
    ])
      expect(shown).toContain(text);
    expect(shown).not.toContain('  a  ');
  });

  test('that is allowed for ever shows the rule first, and asks again', async () => {
    const both = approvalOf(1, { always });
    const { result, shown } = await asked(both, ['a', 'yes']);
    expect(result).toEqual({ kind: 'decided', decision: 'always' });
    expect(shown).toContain(
      `add this rule to your policy, for every session?\n  | to ${always.file}:\n  | [[command]]\n  | name = "x"\n  | decision = "allow"\n`,
    );
    expect((await asked(both, ['a', 'y', 'no', 'o'])).result).toEqual({ kind: 'decided', decision: 'once' });
    expect((await asked(both, ['a', undefined])).result).toEqual({ kind: 'none', because: 'interrupted' });
  });

  test('that needs a code asks for it, but not for a no', async () => {
    const coded = approvalOf(1, { confirmation: 'totp' });
    expect((await asked(coded, ['s', '12345', 'abcdef', '123 456'])).result).toEqual({
      kind: 'decided',
      decision: 'session',
      code: '123456',
    });
    expect((await asked(coded, ['d'])).result).toEqual({ kind: 'decided', decision: 'deny' });
    expect((await asked(coded, ['o', undefined])).result).toEqual({ kind: 'none', because: 'interrupted' });
  });

  test('does not appear after its withdrawal', async () => {
    expect((await asked(one, [], AbortSignal.abort())).result).toEqual({ kind: 'none', because: 'withdrawn' });
  });

  test.each(['absent', 'background'] as const)('does not appear on a terminal that is %s', async (because) => {
    expect(await askApproval(one, { open: () => because })).toEqual({ kind: 'none', because });
  });
});
