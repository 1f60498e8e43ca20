import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { appendEvents, type RefusalEvent } from '../../audit/index.ts';
import { createLayer } from '../../staged/store/create-layer.ts';
import { scene } from '../testing/run.ts';
import { nextCommands, statusCommand } from './index.ts';

function refusal(workspace: string, path: string): RefusalEvent {
  return {
    type: 'refusal',
    session: 's-1',
    workspace,
    observed: 'enforcement',
    request: { kind: 'file', operation: 'read', path },
    verdict: {
      decision: 'deny',
      code: 'hidden-file',
      rule: 'hidden:.env',
      layer: 'user',
      file: 'built-in',
      line: 0,
      message: 'reading it is refused',
      remedy: 'add files.release',
    },
  };
}

test('a directory without anything has defaults, and a first command', async () => {
  const { status, stdout, stderr } = await scene().run(statusCommand);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^policy +built-in defaults, no policy file$/mu);
  for (const word of ['refusals', 'staged', 'approvals']) expect(stdout).toMatch(new RegExp(`^${word} +none$`, 'mu'));
  expect(stdout).toMatch(/^next +holdfast run -- COMMAND$/mu);
});

test('where no workspace can be, that is said, and how to begin', async () => {
  const { policy, run } = scene();
  mkdirSync(dirname(policy), { recursive: true });
  const { status, stdout, stderr } = await run({
    ...statusCommand,
    run: (input) => statusCommand.run({ ...input, io: { ...input.io, cwd: '/' } }),
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^ +problem: "\/" cannot be a workspace/mu);
  expect(stdout).toMatch(/^next +cd PROJECT$/mu);
});

test('writes nothing', async () => {
  const { journal, run } = scene();
  await run(statusCommand);
  expect(existsSync(dirname(journal))).toBe(false);
});

test('a broken policy takes one line, and the rest appears', async () => {
  const { policy, run } = scene();
  mkdirSync(dirname(policy), { recursive: true });
  writeFileSync(policy, 'version = 1\nfoo = 2\nbar = 3\n');
  const { status, stdout } = await run(statusCommand);
  expect(status).toBe(0);
  expect(stdout.split('\n').filter((line) => line.includes('problem: '))).toEqual([
    expect.stringMatching(/^ +problem: \/.*policy\.toml:2: unknown key "foo"$/u),
  ]);
  expect(stdout).toMatch(/^next +holdfast policy check$/mu);
  expect(stdout).toMatch(/^staged +none$/mu);
});

test('an unreadable policy and journal are reported as such', async () => {
  const { policy, journal, run } = scene();
  for (const path of [policy, journal]) mkdirSync(path, { recursive: true });
  const { status, stdout } = await run(statusCommand);
  expect(status).toBe(0);
  expect(stdout.match(/problem: .*/gu)).toHaveLength(2);
});

test('the last refusals of this directory appear, newest first, with the next question', async () => {
  const { workspace, journal, run } = scene();
  appendEvents(journal, [
    ...['/old', '/a', '/b'].map((path) => refusal(workspace, path)),
    refusal('/other', '/elsewhere'),
    refusal(workspace, '/c\u001B[2J'),
  ]);
  const { stdout } = await run(statusCommand);
  expect([...stdout.matchAll(/read (\S+) \(hidden:\.env, built-in\)/gu)].map(([, path]) => path)).toEqual([
    expect.stringMatching(/^"?\/c/u),
    '/b',
    '/a',
  ]);
  expect(stdout).not.toContain('\u001B');
  expect(stdout).toContain('`holdfast why` shows the grants that would allow them');
  expect(JSON.parse((await run(statusCommand, '--json')).stdout)).toMatchObject({
    refusals: [{}, { request: { path: '/b' } }, { request: { path: '/a' } }],
    next: ['holdfast why', 'holdfast run -- COMMAND'],
  });
});

test('staged layers of this directory appear, with the one to review', async () => {
  const { workspace, journal, run } = scene();
  const state = dirname(journal);
  const { id } = createLayer(state, { workspace, roots: [workspace] });
  createLayer(state, { workspace: join(workspace, '..'), roots: [workspace] });
  const { stdout } = await run(statusCommand);
  expect(stdout).toMatch(new RegExp(`^staged +${id}  20`, 'mu'));
  expect(stdout).toMatch(new RegExp(`^next +holdfast review ${id}$`, 'mu'));
});

test('among many waiting items, the two most urgent commands appear', () => {
  const state = {
    where: 'outside',
    workspace: '/w',
    policies: [{ kind: 'user', file: '/p' }],
    refusals: [],
    staged: [],
    approvals: [],
    agents: ['claude'],
    problems: [],
  } as const;
  expect(nextCommands(state)).toEqual(['holdfast run claude']);
  expect(nextCommands({ ...state, policies: [] })).toEqual(['holdfast setup', 'holdfast run claude']);
  expect(nextCommands({ ...state, staged: [{ id: 'x-1', created: 0 }] })).toEqual([
    'holdfast review x-1',
    'holdfast run claude',
  ]);
  expect(nextCommands({ ...state, where: 'inside', policies: [] })).toEqual(['holdfast why --path PATH']);
});
