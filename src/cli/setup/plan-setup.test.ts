import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeInstall, makeUndo } from '../../agents/init/plan-change.ts';
import { findAgents } from '../../agents/setup/find-agents.ts';
import { readPlace } from '../../place/place.ts';
import { plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { planSetup, type SetupWishes } from './plan-setup.ts';
import { keepSetup, planSetupUndo, readSetupRecord } from './setup-record.ts';

const claudeRules = '{"permissions": {"deny": ["Bash(curl:*)", "Read(~/secrets/**)"]}}\n';

/** A home with Claude Code, and the changes that a setup with these wishes would make. */
function scene(more: Readonly<Record<string, string>> = {}) {
  const home = scratchDirectory();
  plant(home, { 'ws/': '', 'bin/claude': '#!/bin/sh\n', '.claude/settings.json': claudeRules, ...more });
  chmodSync(join(home, 'bin/claude'), 0o755);
  const environment = {
    PATH: join(home, 'bin'),
    ANTHROPIC_API_KEY: 'x',
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  const place = { ...readPlace({ cwd: join(home, 'ws'), environment }), home };
  const { state, userPolicy } = place.paths;
  const agents = findAgents({ home, environment });
  const init = { scope: 'user', home, workspace: home, environment, program: ['/opt/hook'], state } as const;
  const plan = (wishes: Partial<SetupWishes> = {}) =>
    planSetup({ agents, keys: [], rules: 'leave', hooks: 'leave', ...wishes }, place, init);
  const key = agents[0]?.keys.find(({ variable }) => variable === 'ANTHROPIC_API_KEY');
  if (key === undefined) throw new Error('no key of Claude Code');
  return { home, state, userPolicy, plan, key };
}

test('a policy without wishes says nothing but whose it is', () => {
  expect(scene().plan().policy.after).toMatch(/^# Written by `holdfast setup`[^]*\nversion = 1\n$/u);
});

test('keys and rules stand in one policy, each line with where it is from', () => {
  const { home, plan, key } = scene();
  const { policy } = plan({ rules: 'import', keys: [{ key, from: 'environment' }] });
  for (const line of [
    '"curl", # ~/.claude/settings.json permissions.deny[0]',
    '"~/secrets", # ~/.claude/settings.json permissions.deny[1]',
    '"api.anthropic.com:443", # ANTHROPIC_API_KEY',
    `"${home}/bin/claude", # holdfast run claude`,
    'source = { env = "ANTHROPIC_API_KEY" }',
  ])
    expect(policy.after).toContain(line);
  expect(plan({ keys: [{ key, from: 'keyring' }] }).policy.after).toContain(
    'source = { keyring = "holdfast/anthropic" }',
  );
});

test('a program of an agent has a line only where commands are judged', () => {
  const { plan, key } = scene();
  expect(plan({ keys: [{ key, from: 'environment' }] }).policy.after).not.toContain('[[exec]]');
});

test('settings that cannot be read as rules are left out as a whole, and the others are not', () => {
  const { home, plan } = scene({ '.codex/rules/a.rules': 'rules = [\n' });
  const { policy, notImported } = plan({ rules: 'import' });
  expect(notImported).toEqual([
    { file: `${home}/.codex/rules/a.rules`, message: expect.stringMatching(/line 1/u) as string },
  ]);
  expect(policy.after).toContain('"curl"');
});

test('an undo brings back every byte, and directories that were not there', () => {
  const { home, state, userPolicy, plan } = scene();
  const { policy, hooks } = plan({ rules: 'import', hooks: 'install' });
  const changes = [policy, ...hooks];
  keepSetup(state, changes, ['anthropic']);
  for (const change of changes) makeInstall(change);
  expect(readFileSync(userPolicy, 'utf8')).toBe(policy.after);
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain('/opt/hook');
  const record = readSetupRecord(state);
  expect(record?.keyring).toEqual(['anthropic']);
  for (const change of planSetupUndo(record ?? { v: 1, files: [], keyring: [] })) makeUndo(change);
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(claudeRules);
  expect(existsSync(join(home, 'config'))).toBe(false);
});

test('an undo names every file that changed since, and plans nothing', () => {
  const { home, state, userPolicy, plan } = scene();
  const { policy, hooks } = plan({ hooks: 'install' });
  keepSetup(state, [policy, ...hooks], []);
  for (const change of [policy, ...hooks]) makeInstall(change);
  const settings = join(home, '.claude/settings.json');
  for (const file of [userPolicy, settings]) writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
  expect(() => planSetupUndo(readSetupRecord(state) ?? { v: 1, files: [], keyring: [] })).toThrow(
    expect.objectContaining({
      code: 'HF_AGENT_SETTINGS',
      message: `${userPolicy} and ${settings} changed since the setup; nothing was undone`,
    }),
  );
});

test('a setup that ended half way is taken back as far as it came', () => {
  const { state, userPolicy, plan } = scene();
  const { policy, hooks } = plan({ hooks: 'install' });
  keepSetup(state, [policy, ...hooks], []);
  makeInstall(policy);
  const undone = planSetupUndo(readSetupRecord(state) ?? { v: 1, files: [], keyring: [] });
  expect(undone.map(({ file }) => file)).toEqual([userPolicy]);
});

test('an invalid record is reported', () => {
  const { state, plan } = scene();
  keepSetup(state, [plan().policy], []);
  writeFileSync(join(state, 'setup.json'), '{"v": 2}');
  expect(() => readSetupRecord(state)).toThrow(expect.objectContaining({ code: 'HF_AGENT_SETTINGS' }));
});
