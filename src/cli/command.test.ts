import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approvalsCommand } from './approvals/index.ts';
import { auditCommand } from './audit/index.ts';
import { checkpointCommand } from './checkpoint.ts';
import { type Command, printResult } from './command.ts';
import { credentialsCommand } from './credentials/index.ts';
import { initCommand } from './init.ts';
import { microvmCommand } from './microvm/index.ts';
import { policyCommand } from './policy/index.ts';
import { secretsCommand } from './secrets/index.ts';
import { shimCommand } from './shim.ts';
import { scene, type Scene } from './testing/run.ts';
import { trashCommand } from './trash.ts';
import { trustCommand } from './trust/index.ts';
import { worktreeCommand } from './worktree/index.ts';

const config = '{"mcpServers":{"docs":{"command":"node"}}}\n';
const hash = createHash('sha256').update(config).digest('hex');

function repository(): Scene {
  const here = scene();
  const git = (...words: readonly string[]) =>
    spawnSync('/usr/bin/git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...words], { cwd: here.workspace });
  mkdirSync(join(here.workspace, 'sub'));
  for (const path of ['.mcp.json', 'sub/.mcp.json']) writeFileSync(join(here.workspace, path), config);
  writeFileSync(join(here.workspace, 'a.txt'), 'one\n');
  mkdirSync(dirname(here.policy), { recursive: true });
  writeFileSync(here.policy, 'version = 1\nnetwork.hosts = ["api.example.com:443"]\n');
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  return here;
}

type Step = readonly [command: Command, words: readonly string[], expected: (here: Scene) => unknown];

const lives: Readonly<Record<string, readonly Step[]>> = {
  checkpoints: [
    [
      checkpointCommand,
      ['create', 'one'],
      () => ({ checkpoint: expect.objectContaining({ id: expect.any(String), name: 'one' }), leftOut: [] }),
    ],
    [
      checkpointCommand,
      ['restore', 'one'],
      () => ({ undo: null, written: 0, removed: 0, adjusted: 0, skipped: [], leftOut: [] }),
    ],
    [checkpointCommand, ['remove', 'one'], () => ({ removed: expect.any(String) })],
  ],
  trash: [[trashCommand, ['purge', '--all'], () => ({ removed: [], bytes: 0 })]],
  secrets: [
    [
      secretsCommand,
      ['add', 'example', '--from', 'env:TOKEN', '--host', 'api.example.com', '--env', 'TOKEN'],
      ({ policy }) => ({ added: 'example', file: policy }),
    ],
    [secretsCommand, ['list'], () => expect.anything()],
    [
      credentialsCommand,
      ['revoke', 'example', 'other'],
      () => ({ revoked: ['example', 'other'], session: null, unknown: ['other'] }),
    ],
    [credentialsCommand, ['revoke', '--all'], () => ({ revoked: 'everything', session: null, unknown: [] })],
    [
      secretsCommand,
      ['remove', 'example'],
      ({ policy }) => ({ removed: 'example', file: policy, keyring: 'untouched' }),
    ],
  ],
  policies: [
    [policyCommand, ['init'], ({ workspace }) => ({ file: join(workspace, 'holdfast.toml') })],
    [policyCommand, ['schema'], () => expect.objectContaining({ $schema: expect.any(String) })],
  ],
  trust: [
    [
      trustCommand,
      ['add', '.mcp.json', '--yes', '--sha256', `.mcp.json=${hash}`],
      () => ({ level: 'always', approved: [{ path: '.mcp.json', sha256: hash }], unapproved: [] }),
    ],
    [
      trustCommand,
      ['add', '.mcp.json', '--yes', '--sha256', `.mcp.json=${hash}`],
      () => ({ level: null, approved: [], unapproved: [] }),
    ],
    [trustCommand, ['remove', '--all'], () => ({ revoked: [{ path: '.mcp.json', level: 'always', sha256: hash }] })],
    [trustCommand, ['keys', 'list'], ({ workspace }) => ({ workspace, signers: [] })],
    [
      trustCommand,
      ['import', 'trust.json', '--yes', '--sha256', `sub/.mcp.json=${hash}`],
      ({ workspace }) => ({
        directories: [{ path: join(workspace, 'sub'), outcome: 'approved', approved: ['sub/.mcp.json'] }],
      }),
    ],
  ],
  approvals: [
    [approvalsCommand, ['totp', 'enrol'], () => ({ uri: expect.stringMatching(/^otpauth:/u) })],
    [approvalsCommand, ['totp', 'remove'], () => ({ removed: 'totp' })],
  ],
  agents: [
    [
      initCommand,
      ['claude', '--dry-run'],
      ({ workspace }) => ({
        file: expect.stringContaining(workspace),
        outcome: 'shown',
        diff: expect.stringContaining('+'),
      }),
    ],
    [
      initCommand,
      ['claude', '--yes'],
      ({ workspace }) => ({
        file: expect.stringContaining(workspace),
        outcome: 'written',
        diff: expect.stringContaining('+'),
      }),
    ],
    [
      initCommand,
      ['claude', '--yes'],
      ({ workspace }) => ({ file: expect.stringContaining(workspace), outcome: 'unchanged', diff: '' }),
    ],
    [
      initCommand,
      ['claude', '--yes', '--undo'],
      ({ workspace }) => ({
        file: expect.stringContaining(workspace),
        outcome: 'put-back',
        diff: expect.stringContaining('-'),
      }),
    ],
    [shimCommand, [], () => ({ shell: expect.stringMatching(/\/bash$/u) })],
  ],
  others: [
    [microvmCommand, ['remove'], () => ({ kind: 'absent' })],
    [worktreeCommand, ['list'], () => []],
  ],
};

describe('with --json, exactly one JSON value', () => {
  test.each(Object.entries(lives))('%s', async (_name, steps) => {
    const here = repository();
    writeFileSync(
      join(here.workspace, 'trust.json'),
      JSON.stringify({ version: 1, entries: [{ path: join(here.workspace, 'sub'), level: 'always', trustedAt: 1 }] }),
    );
    for (const [command, words, expected] of steps) {
      const { stdout, stderr } = await here.run(command, ...words, '--json');
      expect(
        () => JSON.parse(stdout) as unknown,
        `${command.name} ${words.join(' ')}: ${stdout}${stderr}`,
      ).not.toThrow();
      expect(JSON.parse(stdout), `${command.name} ${words.join(' ')}`).toEqual(expected(here));
    }
  });

  test.each(['json', 'lines'])('a box’s text shows in %s, and no terminal obeys it', (form) => {
    let written = '';
    const output = { write: (text: string) => (written += text) };
    const hidden = 'a\u001B[2J\u202E\u{E0041}b';
    printResult(
      { values: { json: form === 'json' }, io: { stdout: output, stderr: output, cwd: '/', environment: {} } },
      { name: hidden },
      `${hidden}\n`,
    );
    expect(written).toMatch(/^[\n -~]+$/u);
    if (form === 'json') expect(JSON.parse(written)).toEqual({ name: hidden });
  });

  test('a worktree, which has an ID', async () => {
    const here = repository();
    const { id, branch } = JSON.parse((await here.run(worktreeCommand, 'create', '--json')).stdout) as Readonly<
      Record<'id' | 'branch', string>
    >;
    expect(JSON.parse((await here.run(worktreeCommand, 'remove', id, '--json')).stdout)).toEqual({
      removed: id,
      branch,
    });
  });

  test('nothing is asked, and a form without JSON is refused', async () => {
    const here = repository();
    expect(await here.run(initCommand, 'claude', '--json')).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
    expect(await here.run(auditCommand, 'report', '--json', '--format', 'md')).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });
});
