import { describe, expect, test } from 'vitest';
import { compileLayer } from '../layers/compile-layer.ts';
import { documentFrom, places, policyFrom, problemsIn } from '../testing/policies.ts';
import { tryExamples } from './examples.ts';
import { parsePolicy } from './parse.ts';

const rule = (lines: string): string => `version = 1\n[[exec]]\nname = "a"\ncommands = ["git push --force"]\n${lines}`;
const parses = (text: string, kind?: 'project'): boolean =>
  parsePolicy(text, kind === undefined ? { file: 'policy.toml' } : { file: 'policy.toml', kind }).kind === 'document';

describe('redirect_to', () => {
  test.each([
    '"/usr/bin/true"',
    '["git", "push"]',
    '["/usr/bin/git", "push", "{rest}", "{args}", "{1}", "{12}"]',
    '["git", "", "a{x}b", "{}x", "a b"]',
    '["~/bin/git"]',
  ])('%s', (target) => {
    expect(parses(rule(`decision = "redirect"\nredirect_to = ${target}`))).toBe(true);
  });

  test.each([
    ['[]', /is empty/u],
    ['[""]', /not a program/u],
    ['["{args}"]', /not a program/u],
    ['["git push"]', /not a program/u],
    ['["git", "{rset}"]', /"\{rset\}" has no meaning here/u],
    ['["git", "{0}"]', /"\{0\}" has no meaning here/u],
    ['["git", "{1234}"]', /"\{1234\}" has no meaning here/u],
    ['["git", "{}"]', /"\{\}" has no meaning here/u],
    ['["git", "a\\u0007"]', /control character/u],
    ['"git push"', /not a place to redirect exec requests/u],
    ['["git", 1]', /./u],
  ])('%s is refused', (target, message) => {
    const [problem] = problemsIn(rule(`decision = "redirect"\nredirect_to = ${target}`));
    expect(problem?.message).toMatch(message);
    expect(problem?.remedy).toMatch(/\w/u);
  });

  test('needs the decision, and the decision needs it', () => {
    expect(problemsIn(rule('decision = "deny"\nredirect_to = ["x"]'))[0]).toMatchObject({
      line: 6,
      message: '"a" has a redirect_to but decides "deny"',
    });
    expect(problemsIn(rule('decision = "redirect"'))[0]?.message).toBe('"a" redirects, but does not say where to');
  });
});

describe('env', () => {
  test.each(['allow', 'audit'])('needs a command that runs: %s', (decision) => {
    expect(parses(rule(`decision = "${decision}"\nenv = { CI = "1", NODE_OPTIONS = "--x" }`))).toBe(true);
  });

  test.each(['ask', 'deny'])('and not for %s', (decision) => {
    expect(problemsIn(rule(`decision = "${decision}"\nenv = { CI = "1" }`))[0]).toMatchObject({
      line: 6,
      message: `"a" sets variables but decides "${decision}"`,
    });
  });

  test('cannot apply to redirected commands', () => {
    expect(problemsIn(rule('decision = "redirect"\nredirect_to = ["x"]\nenv = { CI = "1" }'))[0]?.message).toContain(
      'decides "redirect"',
    );
  });

  test('names are names', () => {
    expect(problemsIn(rule('decision = "allow"\nenv = { "A-B" = "1" }'))).not.toHaveLength(0);
    expect(problemsIn(rule('decision = "allow"\nenv = { A = 1 }'))).not.toHaveLength(0);
  });

  test('a project cannot set any', () => {
    const text = rule('decision = "allow"\nenv = { CI = "1" }');
    expect(problemsIn(text, 'project')[0]).toMatchObject({ line: 6, message: 'a project policy cannot set variables' });
    expect(() => compileLayer(documentFrom(text), { kind: 'project', ...places })).toThrow(
      expect.objectContaining({ code: 'HF_POLICY_INVALID' }),
    );
  });
});

describe('commands.unknown', () => {
  test.each(['ask', 'allow', 'deny'])('may be %s', (value) => {
    expect(parses(`version = 1\n[commands]\nunknown = "${value}"`, 'project')).toBe(true);
  });

  test('and nothing else', () => {
    expect(problemsIn('version = 1\n[commands]\nunknown = "audit"')[0]?.line).toBe(3);
  });

  test('is shown with where it comes from', () => {
    const shown = (text?: string) =>
      policyFrom(text === undefined ? {} : { user: text })
        .layers.flatMap((layer) => layer.statements())
        .filter(({ subject }) => subject === 'commands.unknown');
    expect(shown()).toMatchObject([{ value: 'ask', origin: { file: 'built-in' } }]);
    expect(shown('[commands]\nunknown = "deny"')).toMatchObject([
      { value: 'deny', origin: { file: 'user.toml', line: 3 } },
    ]);
  });
});

describe('commands.git', () => {
  test.each(['neutral', 'as-is'])('may be %s', (value) => {
    expect(parses(`version = 1\n[commands]\ngit = "${value}"`, 'project')).toBe(true);
  });

  test('and nothing else', () => {
    expect(problemsIn('version = 1\n[commands]\ngit = "raw"')[0]?.line).toBe(3);
  });

  test('is shown with where it comes from', () => {
    const shown = (text?: string) =>
      policyFrom(text === undefined ? {} : { user: text })
        .layers.flatMap((layer) => layer.statements())
        .filter(({ subject }) => subject === 'commands.git');
    expect(shown()).toMatchObject([{ value: 'neutral', origin: { file: 'built-in' } }]);
    expect(shown('[commands]\ngit = "as-is"')).toMatchObject([
      { value: 'as-is', origin: { file: 'user.toml', line: 3 } },
    ]);
  });
});

describe('examples', () => {
  test.each([
    [
      'match = ["git push -f", "git push origin --force", "git -C dir push -uf"]\nnot_match = ["git push", "git push --force-with-lease", "git push -- -f"]',
      [],
    ],
    ['match = ["git push origin"]', ['exec[0].match[0]']],
    ['not_match = ["git push origin -f"]', ['exec[0].not_match[0]']],
  ])('are tried with what decides: %s', (examples, failed) => {
    const parsed = parsePolicy(rule(`decision = "deny"\n${examples}`), { file: 'policy.toml' });
    expect(parsed.kind).toBe(failed.length === 0 ? 'document' : 'problems');
    if (parsed.kind === 'document')
      expect(tryExamples(parsed.document.value).every(({ outcome }) => outcome.kind === 'passed')).toBe(true);
    else expect(parsed.problems.map(({ line }) => line)).toEqual(failed.map(() => 6));
  });
});

describe('rules that can never match', () => {
  test.each([
    ['git push', 'git push origin', true],
    ['git *', 'git push', true],
    ['git *', 'git -c x', false],
    ['git -*', 'git -c x', true],
    ['git push --force', 'git push', false],
  ])('%j before %j: %s', (first, second, shadowed) => {
    const text = `version = 1\n[[exec]]\nname = "a"\ndecision = "deny"\ncommands = ["${first}"]\n[[exec]]\nname = "b"\ndecision = "ask"\ncommands = ["${second}"]`;
    expect(parses(text)).toBe(!shadowed);
  });
});
