import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allProcesses, commandLineOf } from '../../scripts/testing/processes.ts';
import { Project, repository } from '../lib/holdfast.ts';
import { McpClient } from '../lib/mcp-client.ts';
import { allHostile, secret, tags, unseenIn } from '../lib/hostile-text.ts';

let project: Project;
beforeAll(() => {
  project = new Project();
});
afterAll(() => project[Symbol.dispose]());

/** Processes whose environment or words contain the mark: the remains of a box. */
function withMark(mark: string): readonly number[] {
  return allProcesses().filter((pid) => pid !== process.pid && commandLineOf(pid).includes(mark));
}

let marks = 0;
const newMark = (): string => `${process.pid}.${(marks += 1)}${String(Date.now()).slice(-6)}`;
/** A command that runs until it is ended. Its mark identifies it. */
const sleeping = (mark: string): string => `sleep 60${mark} & sleep 60${mark}`;

describe('progress and cancellation', () => {
  test('a client that asks for it gets the last line while a command runs', async () => {
    await using mcp = await McpClient.connect(project);
    const notes: { readonly progress: number; readonly message?: string | undefined }[] = [];
    await mcp.call(
      'bash',
      { command: `for i in 1 2 3 4 5 6; do echo "step $i ${tags('x')}"; sleep 0.4; done` },
      { onprogress: (note) => notes.push(note) },
    );
    expect(notes.length).toBeGreaterThan(0);
    expect(
      notes.every(({ message }) => /^step \d ⟦/u.test(message ?? '') && unseenIn(message ?? '') === undefined),
    ).toBe(true);
    expect(notes.map(({ progress }) => progress)).toEqual(
      [...new Set(notes.map(({ progress }) => progress))].toSorted((a, b) => a - b),
    );
    expect(notes.length).toBeLessThan(40);
  });

  test('a cancelled call ends with its box, and the session continues', async () => {
    await using mcp = await McpClient.connect(project);
    const mark = newMark();
    const cancel = new AbortController();
    const call = mcp.call('bash', { command: sleeping(mark) }, { signal: cancel.signal });
    call.catch(() => undefined);
    await expect.poll(() => withMark(mark).length).toBeGreaterThan(0);
    cancel.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => withMark(mark)).toEqual([]);
    expect((await mcp.call('bash', { command: 'echo on' })).structured).toMatchObject({ stdout: 'on\n' });
  });

  test.each(['stdin ends', 'stdout is closed', 'SIGTERM', 'SIGKILL'] as const)(
    '%s during a command: nothing is left',
    async (how) => {
      const child = project.start(['mcp']);
      const mark = newMark();
      const left = once(child, 'exit');
      child.stdin.on('error', () => undefined);
      child.stdin.write(
        `${initialize}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'bash', arguments: { command: `while echo line; do sleep 0.1; done & ${sleeping(mark)}` }, _meta: { progressToken: 1 } } })}\n`,
      );
      await expect.poll(() => withMark(mark).length).toBeGreaterThan(0);
      if (how === 'stdin ends') child.stdin.end();
      else if (how === 'stdout is closed') child.stdout.destroy();
      else child.kill(how);
      await left;
      await expect.poll(() => withMark(mark)).toEqual([]);
    },
  );
});

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});
const list = JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' });

interface Answer {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The answers to these lines before the answer to a later ping. */
async function exchange(lines: readonly (string | Buffer)[]): Promise<readonly Answer[]> {
  const child = project.start(['mcp']);
  const answers: Answer[] = [];
  const answered = new Promise<void>((resolve, reject) => {
    let open = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = `${open}${chunk.toString()}`.split('\n');
      open = parts.pop() ?? '';
      for (const part of parts) answers.push(JSON.parse(part) as Answer);
      if (answers.some(({ id }) => id === 'last')) resolve();
    });
    child.once('exit', () => reject(new Error('it ended')));
  });
  for (const line of [initialize, ...lines, list])
    child.stdin.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
  await answered;
  const ended = once(child, 'exit');
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  return answers.filter(({ id }) => id !== 'last' && id !== 1);
}

const request = (id: unknown, method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('bad input', () => {
  test.each([
    ['no JSON', ['{"jsonrpc": '], [[null, -32_700]]],
    ['bytes that are no text', [Buffer.from([0xff, 0xfe, 0])], [[null, -32_700]]],
    ['a batch', [`[${request(2, 'ping')}]`], [[null, -32_600]]],
    [
      'no message',
      ['{}', '7', 'null', '{"jsonrpc":"2.0"}'],
      [
        [null, -32_600],
        [null, -32_600],
        [null, -32_600],
        [null, -32_600],
      ],
    ],
    ['another version', ['{"jsonrpc":"1.0","id":5,"method":"ping"}'], [[5, -32_600]]],
    ['an unknown method', [request(2, 'no/such')], [[2, -32_601]]],
    ['an unknown tool', [request(2, 'tools/call', { name: 'rm' })], [[2, -32_602]]],
    [
      'params of a wrong type',
      [request(2, 'tools/call', { name: 7 }), request(3, 'tools/call', [])],
      [
        [3, -32_600],
        [2, -32_602],
      ],
    ],
    ['a line of 9 MB', [`"${'x'.repeat(9_000_000)}"`], [[null, -32_700]]],
    [
      'deep nesting',
      [`{"jsonrpc":"2.0","id":2,"method":"ping","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      [[2, -32_600]],
    ],
    ['empty lines', ['', '  ', '\r'], []],
  ] as const)('%s is answered in the protocol, and the session continues', async (...row) => {
    const [, lines, expected] = row;
    expect((await exchange(lines)).map(({ id, error }) => [id, error?.code])).toEqual(expected);
  });

  test.each([
    {},
    { command: 7 },
    { command: '' },
    { command: 'true', more: 1 },
    { command: 'true', timeoutMs: 0.5 },
    { command: 'true', timeoutMs: 1e12 },
    { command: 'x'.repeat(200_000) },
    { command: 'echo \0' },
  ])('arguments that no schema accepts are an error for the model: %.60j', async (input) => {
    await using mcp = await McpClient.connect(project);
    const { isError, text } = await mcp.call('bash', input);
    expect(isError).toBe(true);
    expect(text.length).toBeLessThan(2000);
  });

  test('a second request with a pending ID is refused, and the first is answered', async () => {
    const call = request(2, 'tools/call', { name: 'bash', arguments: { command: 'sleep 1; echo first' } });
    const child = project.start(['mcp']);
    child.stdin.write(`${initialize}\n${call}\n${call}\n`);
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await expect.poll(() => seen).toContain('first');
    const answers = seen
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);
    expect(answers.flatMap(({ id, error }) => (error === undefined ? [] : [[id, error.code]]))).toEqual([
      [null, -32_600],
    ]);
    child.stdin.end();
    await once(child, 'exit');
  });
});

describe('text', () => {
  test('a client gets no hidden character from a box’s output, names and files', async () => {
    using hostile = new Project();
    hostile.write('README.md', `${allHostile}\n`);
    hostile.write(`names/a${tags(secret)}b`, 'x\n');
    await using mcp = await McpClient.connect(hostile);
    const answers = await Promise.all([
      mcp.call('bash', { command: 'cat README.md; cat README.md >&2; ls names' }),
      mcp.call('read', { path: 'README.md' }),
      mcp.call('grep', { pattern: 'a' }),
      mcp.call('glob', { pattern: 'names/*' }),
      mcp.call('bash', { command: 'true', cwd: `no${tags(secret)}` }),
      mcp.call('read', { path: `no\\u{e0073}${tags(secret)}` }),
      mcp.call('edit', { path: 'README.md', oldString: tags('q'), newString: '' }),
      mcp.call('apply_patch', { patch: `*** Begin Patch\n*** Update File: README.md\n-${tags('q')}\n*** End Patch` }),
      mcp.call('why', { path: `a${tags(secret)}` }),
      mcp.call('bash', { [tags(secret)]: 1 }),
    ]);
    for (const answer of answers) expect(unseenIn(answer.text.replaceAll('\t', ''))).toBeUndefined();
    for (const { structured } of answers) expect(unseenIn(JSON.stringify(structured))).toBeUndefined();
    expect(answers[0]?.structured['hidden']).toContain(secret);
    expect(
      (await mcp.call('read', { path: (answers[3]?.structured['paths'] as string[] | undefined)?.[0] })).structured,
    ).toMatchObject({ text: 'x\n' });
  });
});

describe('the inspector', () => {
  test('lists and calls tools', () => {
    const inspect = (...args: readonly string[]) =>
      spawnSync(
        join(repository, 'node_modules/.bin/mcp-inspector'),
        ['--cli', join(repository, 'bin/holdfast'), 'mcp', ...args],
        {
          cwd: project.workspace,
          env: { ...project.environment, PATH: process.env['PATH'] },
          encoding: 'utf8',
          timeout: 100_000,
        },
      );
    const listed = inspect('--method', 'tools/list');
    expect(listed.stderr + listed.stdout).toContain('apply_patch');
    const called = inspect('--method', 'tools/call', '--tool-name', 'bash', '--tool-arg', 'command=echo inspected');
    expect(called.stdout).toContain('inspected\\n');
  });
});
