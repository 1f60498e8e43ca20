import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { backends, Project } from './lib/holdfast.ts';

/** Waits until the host has its socket, then connects the given number of times. */
const attempt = `
import os, socket, sys, time
open('ran', 'w').close()
while not os.path.exists('go'): time.sleep(0.03)
for path in sys.argv[1:]:
  try: socket.socket(socket.AF_UNIX).connect(path); print('reached')
  except OSError as error: print(type(error).__name__)
`;

interface Connects {
  readonly backend?: string;
  /** The host's service after the start of the box. */
  readonly served: string;
  /** The box's destinations, in turn. */
  readonly names: readonly string[];
}

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

async function connects(project: Project, { backend = 'native', served, names }: Connects): Promise<Ran> {
  const paths = names.map((name) => join(project.workspace, name));
  const child = project.start(['run', '--backend', backend, '--', 'python3', '-c', attempt, ...paths]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, 'close');
  await expect.poll(() => existsSync(join(project.workspace, 'ran')) || child.exitCode !== null).toBe(true);
  await sleep(100);
  const server = createServer((socket) => socket.end());
  server.listen(join(project.workspace, served));
  await once(server, 'listening');
  project.write('go', '');
  await closed;
  server.close();
  return { stdout, stderr };
}

function refusals({ state }: Project): readonly Record<string, unknown>[] {
  return readFileSync(join(state, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type === 'refusal');
}

const quarantines = 'version = 1\n[files]\nnew_protected = "quarantine"\n';

describe.each(backends)('a host socket that appears later, on %s', (backend) => {
  test.each([
    ['by default', ''],
    ['where new protected names are moved away at the end', quarantines],
  ])('is refused and journalled once for each name and program: %s', async (_, policy) => {
    using project = new Project();
    if (policy !== '') project.write('../home/.config/holdfast/policy.toml', policy);
    const { stdout, stderr } = await connects(project, {
      backend,
      served: 'later.sock',
      names: ['later.sock', 'later.sock'],
    });
    expect(stdout).toBe('PermissionError\nPermissionError\n');
    const address = join(project.workspace, 'later.sock');
    expect(refusals(project)).toMatchObject([
      {
        observed: 'enforcement',
        request: { kind: 'socket', operation: 'connect', address },
        verdict: { decision: 'deny', code: 'not-granted' },
        program: expect.stringMatching(/\/python3[.0-9]*$/u) as string,
      },
    ]);
    expect(stderr.match(/later\.sock/gu)?.length).toBeGreaterThan(0);
    for (const words of [['why'], ['audit', 'query', '--type', 'refusal']]) {
      const shown = project.holdfast(words).stdout;
      expect(shown).toContain(`connect socket ${address}`);
      expect(shown).toMatch(/python3/u);
      expect(shown).toMatch(/sockets/u);
    }
  });

  test('cannot write to a terminal through its name', async () => {
    using project = new Project();
    const name = 'a\n\u001b[2J\u202eb';
    const { stdout, stderr } = await connects(project, { backend, served: name, names: [name] });
    expect(stdout).toBe('PermissionError\n');
    expect(refusals(project)).toHaveLength(1);
    for (const text of [stderr, project.holdfast(['why']).stdout, project.holdfast(['audit', 'query']).stdout])
      for (const sign of ['a\n\u001b', '\u001b[2J', '\u202e']) expect(text).not.toContain(sign);
  });
});

test.each(backends)('a covered socket of the start is journalled as well, on %s', async (backend) => {
  using project = new Project();
  const server = createServer((socket) => socket.end());
  server.listen(join(project.workspace, 'early.sock'));
  await once(server, 'listening');
  const { stdout } = await connects(project, { backend, served: 'other.sock', names: ['early.sock'] });
  server.close();
  expect(stdout).not.toContain('reached');
  expect(refusals(project)).toMatchObject([
    { request: { kind: 'socket', operation: 'connect', address: join(project.workspace, 'early.sock') } },
  ]);
});

test('a connection to the box’s own or an abandoned socket is not a refusal', async () => {
  using project = new Project();
  const { stdout } = await connects(project, { served: 'other.sock', names: ['nothing.sock', 'ran'] });
  expect(stdout).toBe('FileNotFoundError\nConnectionRefusedError\n');
  expect(refusals(project)).toEqual([]);
});
