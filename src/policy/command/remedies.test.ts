import { describe, expect, test } from 'vitest';
import { analyse } from '../../shell/analyse/analyse.ts';
import { factsWith } from '../testing/analyses.ts';
import { places, policyFrom, type PolicyTexts } from '../testing/policies.ts';
import { type CommandExplanation, explainCommand } from './explain-command.ts';

const facts = factsWith();
const explained = (text: string, texts: PolicyTexts): CommandExplanation =>
  explainCommand(
    policyFrom(texts),
    analyse({ kind: 'script', text, shell: 'bash' }, { cwd: places.workspace, home: places.home }),
    facts,
  );
const judged = '[commands]\nask = ["git push"]\n';
const waysOf = (text: string, texts: PolicyTexts = { user: judged }): string =>
  explained(text, texts)
    .obstacles.flatMap(({ ways }) => ways)
    .join('\n');

describe('following the remedy for an unknown construct allows it', () => {
  test.each([
    'our-tool x',
    'our-tool --odd --more=y "a b"',
    '~/bin/tool x',
    '/opt/vendor/bin/tool',
    "'odd name' x",
    'tool.sh',
    'tool+1',
  ])('by the rule: %s', (line) => {
    const [rule] = /exec = \[\{.*?\}\]/u.exec(waysOf(line)) ?? [];
    expect(rule).toMatch(/^exec = \[\{ name = "allow-[\w.-]+", decision = "allow", commands = \[.*\] \}\]$/u);
    expect(explained(line, { user: `${rule}\n${judged}` }).verdict.decision).toBe('allow');
  });

  test.each(['our-tool x', 'git status --odd', 'rm $X', "python3 -c 'print(1)'", 'PATH=x ls', 'eval "$X"'])(
    'by the setting: %s',
    (line) => {
      expect(waysOf(line)).toContain('set commands.unknown = "allow" in your own policy');
      expect(explained(line, { user: `${judged}unknown = "allow"` }).verdict.decision).toBe('allow');
    },
  );

  test.each(['our-tool x', 'git status --odd'])('in the file that is stricter: %s', (line) => {
    const texts = { user: `${judged}unknown = "allow"`, project: '[commands]\nunknown = "deny"' };
    expect(waysOf(line, texts)).toContain('set commands.unknown = "allow" in project.toml line 3');
    expect(explained(line, { ...texts, project: '[commands]\nunknown = "allow"' }).verdict.decision).toBe('allow');
  });

  test.each(['$TOOL x', 'ls; $(', 'cat x | sh', "fish -c 'x'", 'rm b\u200build'])(
    'no setting is named that would not help: %s',
    (line) => {
      expect(waysOf(line)).not.toContain('commands.unknown');
      expect(explained(line, { user: `${judged}unknown = "allow"` }).verdict.decision).toBe('ask');
    },
  );

  test('a file of the project needs nothing', () => {
    expect(waysOf('./scripts/tool --odd')).toBe('');
    expect(explained('./scripts/tool --odd', { user: judged }).verdict.decision).toBe('allow');
  });

  test('two tools get two rules', () => {
    const names = [...waysOf('one-tool; two-tool').matchAll(/name = "(.*?)"/gu)].map(([, name]) => name);
    expect(names).toEqual(['allow-one-tool', 'allow-two-tool']);
  });
});

describe('following the remedy for a refusal allows it', () => {
  test.each([
    ['git push', '[commands]\nask = ["git push"]', '[commands]\nask = []'],
    [
      'curl x.example.com',
      '[commands]\ndeny = ["curl"]\n[network]\nhosts = ["x.example.com:80"]',
      '[network]\nhosts = ["x.example.com:80"]',
    ],
  ])('%s', (line, before, after) => {
    expect(waysOf(line, { user: before })).toMatch(/^change commands\.\w+\[0\] in user\.toml line 3/mu);
    expect(explained(line, { user: after }).verdict.decision).toBe('allow');
  });

  test.each([
    ['cp a /srv/out/b', /add (files\.write = \["\/srv\/out\/b"\])/u],
    ['ssh host.example.com ls', /add (network\.hosts = \["host\.example\.com:22"\])/u],
    ['git clone git@git.example.com:x/y', /add (network\.hosts = \["git\.example\.com:22"\])/u],
    ['psql -h db.example.com -c x', /add (network\.hosts = \["db\.example\.com:5432"\])/u],
  ])('%s', (line, way) => {
    const [, grant] = way.exec(waysOf(line, { user: '' })) ?? [];
    expect(grant).toBeDefined();
    expect(waysOf(line, { user: grant ?? '' })).not.toMatch(way);
  });
});
