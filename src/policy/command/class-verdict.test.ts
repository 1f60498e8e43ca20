import { describe, expect, test } from 'vitest';
import { analyse } from '../../shell/analyse/analyse.ts';
import { commandClasses } from '../../shell/class/command-class.ts';
import { labelledLines } from '../../shell/class/testing/labelled-lines.ts';
import { factsWith } from '../testing/analyses.ts';
import { places, policyFrom, type PolicyTexts, problemsIn } from '../testing/policies.ts';
import { decideCommand } from './decide-command.ts';
import { commandsAreOpen, explainCommand } from './explain-command.ts';
import type { CommandVerdict } from './types.ts';

const facts = factsWith();
const read = (text: string) => analyse({ kind: 'script', text, shell: 'bash' }, { cwd: places.workspace, ...places });
const decide = (texts: PolicyTexts, text: string): CommandVerdict =>
  decideCommand(policyFrom(texts), read(text), facts);
const askUnlessReads = { user: '[commands]\nask_above = "reads"' };

const asking = policyFrom(askUnlessReads);

describe('one line asks about all that is not reading', () => {
  test.each(commandClasses.flatMap((label) => labelledLines[label].map((line) => [label, line] as const)))(
    '%s: %s',
    (label, line) => {
      const { class: found, verdict } = explainCommand(asking, read(line), facts);
      expect(verdict.decision).toBe(found.kind === 'reads' ? 'allow' : 'ask');
      if (label !== 'reads') expect(verdict.decision).toBe('ask');
    },
  );

  test('also about unknown words that are only read', () => {
    expect(decide({ user: '[commands]\nask = ["x"]' }, 'cat "$X"').decision).toBe('ask');
    expect(decide(askUnlessReads, 'cat "$X"').decision).toBe('allow');
    expect(decide({ user: '[commands]\nask_above = "reads"\nunknown = "ask"' }, 'cat "$X"').decision).toBe('ask');
    expect(decide({ ...askUnlessReads, project: '[commands]\nunknown = "deny"' }, 'cat "$X"').decision).toBe('deny');
  });

  test('and names the reason, its place and the remedy', () => {
    expect(decide(askUnlessReads, 'ls; touch a')).toMatchObject({
      decision: 'ask',
      message:
        'running touch a waits for approval: class "writes the workspace": writes a (commands.ask_above of user.toml:3)',
      remedy: 'approve it when asked, or set commands.ask_above = "writes the workspace" in user.toml line 3',
      decisive: {
        kind: 'class',
        invocation: 1,
        verdict: { code: 'command-class', rule: 'commands.ask_above', line: 3 },
      },
    });
    expect(decide({ user: '[commands]\ndeny_above = "destroys"' }, '$X')).toMatchObject({
      decision: 'deny',
      remedy: 'allow the command by an [[exec]] rule, or take commands.deny_above out of user.toml',
    });
  });

  test('once for each command', () => {
    const { parts } = decide(askUnlessReads, 'no-such-program');
    expect(parts.filter(({ verdict }) => verdict.decision === 'ask')).toHaveLength(1);
  });
});

describe('limits', () => {
  test.each([
    ['ask_above = "writes the workspace"', 'touch a', 'allow'],
    ['ask_above = "writes the workspace"', 'curl https://example.com', 'ask'],
    ['ask_above = "writes the workspace"\ndeny_above = "changes the machine"', 'mount a b', 'ask'],
    ['ask_above = "writes the workspace"\ndeny_above = "changes the machine"', 'rm -rf $X', 'deny'],
    ['deny_above = "leaves the session behind"', 'mount a b', 'deny'],
    ['deny_above = "leaves the session behind"\nunknown = "allow"', 'crontab -e', 'allow'],
    ['deny_above = "destroys"', 'no-such-program', 'deny'],
    // A text that runs later is not analysed, so it stays a question.
    ['ask_above = "changes the machine"', 'batch', 'ask'],
    ['ask_above = "destroys"', 'mount a b', 'allow'],
  ])('%j of %j: %s', (text, line, decision) => {
    expect(decide({ user: `[commands]\n${text}` }, line).decision).toBe(decision);
  });

  test('are decided by the strictest layer, so that a project takes none away', () => {
    const strict = { user: '[commands]\nask_above = "reads"\ndeny_above = "reaches out"' };
    const loose = '[commands]\ndeny_above = "destroys"\nunknown = "allow"';
    expect(decide({ ...strict, project: loose }, 'touch a').decision).toBe('ask');
    expect(decide({ ...strict, project: loose }, 'mount a b').decision).toBe('deny');
    expect(decide({ user: loose, project: strict.user }, 'touch a').decision).toBe('ask');
    expect(decide({ user: loose, session: strict.user }, 'mount a b').decision).toBe('deny');
    // A project's limit does not remove the user's question about unknown effects.
    expect(decide({ project: '[commands]\nask_above = "destroys"' }, 'cat "$X"').decision).toBe('ask');
  });

  test('hold for git as it is run', () => {
    expect(decide(askUnlessReads, 'git status').decision).toBe('allow');
    expect(decide({ user: '[commands]\nask_above = "reads"\ngit = "as-is"' }, 'git status').decision).toBe('ask');
  });

  test('alone say something about commands', () => {
    expect(commandsAreOpen(policyFrom({}))).toBe(true);
    expect(commandsAreOpen(policyFrom(askUnlessReads))).toBe(false);
    expect(commandsAreOpen(policyFrom({ project: '[commands]\ndeny_above = "reads"' }))).toBe(false);
  });
});

describe('a rule of the same file that allows a command', () => {
  const allowed = (rule: string): PolicyTexts => ({
    user: `${askUnlessReads.user}\n[[exec]]\nname = "a"\ndecision = "allow"\ncommands = ["${rule}"]`,
  });

  test.each([
    ['touch', 'touch a', 'allow'],
    ['npm test', 'npm test', 'allow'],
    ['npm test', 'npm run other', 'ask'],
    ['git push', 'git push origin main', 'allow'],
    ['no-such-program', 'no-such-program', 'allow'],
    // The shell's own work around the command is not part of it.
    ['touch', 'touch a > b', 'ask'],
    ['git status', 'git status > out', 'ask'],
    ['no-such-program', 'FOO=1 no-such-program', 'ask'],
    ['no-such-program', 'no-such-program; touch a', 'ask'],
    ['env', 'env touch a', 'ask'],
    ['python', "python -c 'x'", 'ask'],
  ])('%s: %s: %s', (rule, line, decision) => {
    expect(decide(allowed(rule), line).decision).toBe(decision);
  });

  test('speaks for that file only', () => {
    expect(decide({ ...allowed('touch'), project: askUnlessReads.user }, 'touch a').decision).toBe('ask');
  });

  test('a list of programs that may run is no such rule', () => {
    expect(decide({ user: '[commands]\nallow = ["touch"]\nask_above = "reads"' }, 'touch a').decision).toBe('ask');
  });
});

test('a limit covered by another one is reported', () => {
  expect(problemsIn('version = 1\n[commands]\nask_above = "reaches out"\ndeny_above = "reads"')).toMatchObject([
    { line: 3, message: expect.stringMatching(/asks about nothing/u) },
  ]);
  expect(problemsIn('version = 1\n[commands]\nask_above = "anything"')).toHaveLength(1);
});
