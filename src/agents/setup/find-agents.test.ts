import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { findAgents } from './find-agents.ts';

test('an agent is found by its program or by its settings, and nothing else is', () => {
  const home = scratchDirectory();
  plant(home, {
    'bin/claude': '#!/bin/sh\n',
    'bin/gemini': 'no program\n',
    '.codex/rules/b.rules': '',
    '.codex/rules/a.rules': '',
    '.codex/rules/notes.md': '',
    '.claude/settings.json': '{}',
  });
  chmodSync(join(home, 'bin/claude'), 0o755);
  const environment = { PATH: `${home}/bin`, ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: '' };
  const found = findAgents({ home, environment });
  expect(found.map(({ name, program, settings }) => ({ name, program, settings }))).toEqual([
    { name: 'claude', program: `${home}/bin/claude`, settings: `${home}/.claude` },
    { name: 'codex', program: undefined, settings: `${home}/.codex` },
  ]);
  expect(found.map(({ rules }) => rules.map(({ file }) => file))).toEqual([
    [`${home}/.claude/settings.json`],
    [`${home}/.codex/rules/a.rules`, `${home}/.codex/rules/b.rules`],
  ]);
  expect(found.map(({ keys }) => keys.filter(({ value }) => value === 'set').map(({ variable }) => variable))).toEqual([
    ['ANTHROPIC_API_KEY'],
    [],
  ]);
});

test('variables that move settings are followed', () => {
  const home = scratchDirectory();
  plant(home, { 'moved/settings.json': '{}', 'g/.gemini/policies/p.toml': '', 'x/opencode/': '' });
  const environment = {
    PATH: '/nowhere',
    CLAUDE_CONFIG_DIR: `${home}/moved`,
    GEMINI_CLI_HOME: `${home}/g`,
    XDG_CONFIG_HOME: `${home}/x`,
  };
  expect(findAgents({ home, environment }).map(({ name, settings, rules }) => [name, settings, rules.length])).toEqual([
    ['claude', `${home}/moved`, 1],
    ['gemini', `${home}/g/.gemini`, 1],
    ['opencode', `${home}/x/opencode`, 0],
  ]);
});
