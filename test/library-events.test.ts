import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { cgroupFacts } from '../src/place/host/cgroups.ts';
import { Sandbox, type SandboxEvent } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

const create = (project: Project, metadata: Readonly<Record<string, string>> = {}): Promise<Sandbox> =>
  Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, metadata });

async function until(events: AsyncIterable<SandboxEvent>, type: string): Promise<readonly SandboxEvent[]> {
  const seen: SandboxEvent[] = [];
  for await (const each of events) {
    seen.push(each);
    if (each.event.type === type) break;
  }
  return seen;
}

describe('events of a sandbox', () => {
  test('are those in its journal, in order, and no other sandbox’s', async () => {
    using project = new Project();
    project.write('.env', 'KEY=canary\n');
    await using sandbox = await create(project);
    await using other = await create(project);
    const events = sandbox.events();
    await other.commands.run(['true']);
    await sandbox.commands.run(['cat', '.env']);
    const seen = await until(events, 'session.end');
    expect(seen.map(({ event }) => event.type)).toEqual(['session.start', 'session.end']);
    expect(seen.map(({ missing }) => missing)).toEqual(seen.map(() => 0));
    const kept = readEvents(join(project.state, 'journal.jsonl')).filter(
      (event) => 'session' in event && event.session === sandbox.id,
    );
    expect(kept.slice(0, seen.length)).toEqual(seen.map(({ event }) => expect.objectContaining(event)));
  });

  test('that a slow reader missed are counted', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const events = sandbox.events({ queue: 2 });
    for (let round = 0; round < 3; round += 1) await sandbox.commands.run(['true']);
    expect((await events.next()).value).toMatchObject({ event: { type: 'session.start' }, missing: 4 });
    expect((await events.next()).value).toMatchObject({ event: { type: 'session.end' }, missing: 0 });
    await sandbox.commands.run(['true']);
    expect((await events.next()).value).toMatchObject({ event: { type: 'session.start' }, missing: 0 });
    expect(() => sandbox.events({ queue: 0 })).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
  });

  test('end with the sandbox, the signal, or the loop', async () => {
    using project = new Project();
    const sandbox = await create(project);
    const stop = new AbortController();
    const [byClose, bySignal] = [
      until(sandbox.events(), 'never'),
      until(sandbox.events({ signal: stop.signal }), 'never'),
    ];
    stop.abort();
    expect(await bySignal).toEqual([]);
    const handle = sandbox.commands.start(['sleep', '4914']);
    await sandbox.close();
    await handle.ended;
    expect((await byClose).map(({ event }) => event.type)).toEqual(['session.start', 'session.end']);
  });
});

describe('labels of a sandbox', () => {
  test('are in the journal', async () => {
    using project = new Project();
    await using sandbox = await create(project, { run: '42', 'ci.job': 'unit tests' });
    await sandbox.commands.run(['true']);
    expect(sandbox.metadata).toEqual({ run: '42', 'ci.job': 'unit tests' });
    expect(readEvents(join(project.state, 'journal.jsonl'))).toContainEqual(
      expect.objectContaining({ type: 'session.start', metadata: { run: '42', 'ci.job': 'unit tests' } }),
    );
  });

  test.each([
    { 'a b': 'x' },
    { '': 'x' },
    { a: 'x\ny' },
    { a: '\u001b[2J' },
    { a: 'x'.repeat(257) },
    Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, ''])),
  ])('with invalid values are refused: %j', async (metadata) => {
    using project = new Project();
    await expect(create(project, metadata)).rejects.toMatchObject({ code: 'HF_USAGE' });
  });
});

describe('metrics of a sandbox', () => {
  test('show the use of its commands while they run', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const busy = sandbox.commands.start(
      ['sh', '-c', 'head -c 40000000 /dev/zero | tail -c 40000000 > /dev/null & while :; do :; done'],
      { output: 'kept' },
    );
    const use = (): { readonly cpuSeconds?: number; readonly memoryBytes?: number } =>
      sandbox.metrics().running[0] ?? {};
    await expect.poll(() => use().cpuSeconds ?? 0, { timeout: 20_000 }).toBeGreaterThan(0.1);
    expect(use().memoryBytes).toBeGreaterThan(100_000);
    expect(sandbox.metrics()).toMatchObject({ started: 1, outputBytes: 0, running: [{ id: busy.id }] });
    busy.kill('SIGKILL');
    await busy.ended;
    await sandbox.commands.run(['echo', 'seven']);
    expect(sandbox.metrics()).toMatchObject({ started: 2, outputBytes: 6, running: [] });
  });

  test('the maximum memory of a command is the count of its control group, and null without one', async () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[limits]\nmemory = "500MB"\n');
    await using sandbox = await create(project);
    const command = sandbox.commands.start(
      ['python3', '-c', 'x = bytearray(80_000_000); del x; print("freed", flush=True); input()'],
      { output: 'kept' },
    );
    await expect.poll(() => sandbox.metrics().outputBytes).toBeGreaterThan(0);
    const { memoryBytes, peakMemoryBytes } = sandbox.metrics().running[0] ?? {};
    const facts = cgroupFacts();
    const counted =
      facts.kind === 'v1'
        ? facts.directories.memory !== undefined
        : facts.kind === 'v2' && facts.controllers.includes('memory');
    if (counted) expect(peakMemoryBytes).toBeGreaterThan(Math.max(80_000_000, memoryBytes ?? 0));
    else expect(peakMemoryBytes).toBeNull();
    command.stdin.end('\n');
    await command.ended;
  });
});
