import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Served, printed } from '../lib/served.ts';

const foreground = { kind: 'exec', session: 'build', mode: 'foreground' } as const;
const detached = { kind: 'exec', session: 'build', mode: 'detached' } as const;
const isThere = (pid: number | undefined): boolean => pid !== undefined && existsSync(`/proc/${pid}`);

test('has the streams, signals and status of an ordinary command', async () => {
  await using served = await Served.start();
  const client = await served.connect();
  const first = client.call({ ...foreground, argv: ['sh', '-c', 'cat; echo aside >&2; exit 7'] });
  await first.write(Buffer.from('typed'));
  first.endInput();
  expect(await printed(first)).toEqual({ stdout: 'typed', stderr: 'aside\n' });
  expect(await first.result).toMatchObject({ kind: 'ended', exitCode: 7 });
  const second = client.call({
    ...foreground,
    argv: ['sh', '-c', 'trap "echo caught; exit 3" TERM; echo ready; while :; do sleep 0.05; done'],
  });
  let seen = '';
  for await (const { data } of second.output()) {
    seen += data.toString();
    if (seen === 'ready\n') second.signal('SIGTERM');
  }
  expect(seen).toBe('ready\ncaught\n');
  expect(await second.result).toMatchObject({ exitCode: 3 });
  await expect(client.call({ ...foreground, argv: ['there-is-no-such-program'] }).result).rejects.toMatchObject({
    code: 'HF_COMMAND_NOT_FOUND',
  });
  expect((await client.call({ kind: 'ps' }).result).commands).toEqual([]);
});

test('many commands through one connection: each ends, with its own output', async () => {
  await using served = await Served.start();
  const client = await served.connect();
  const results = await Promise.all(
    Array.from({ length: 60 }, async (_, number) => {
      const call = client.call({ ...foreground, argv: ['sh', '-c', `read line; echo "$line"; exit ${number}`] });
      await call.write(Buffer.from(`line ${number}\n`));
      const { stdout } = await printed(call);
      const seen = await call.result;
      return `${stdout.trim()} ${seen.kind === 'ended' ? seen.exitCode : ''}`;
    }),
  );
  expect(results).toEqual(Array.from({ length: 60 }, (_, number) => `line ${number} ${number}`));
});

test('a client that does not read delays neither others nor its own other commands, and loses nothing', async () => {
  await using served = await Served.start();
  const [slow, other] = [await served.connect(), await served.connect()];
  const size = 20_000_000;
  const stalled = slow.call({ ...foreground, argv: ['head', '-c', String(size), '/dev/zero'] });
  for (const client of [other, slow]) {
    const call = client.call({ ...foreground, argv: ['echo', 'not held up'] });
    expect((await printed(call)).stdout).toBe('not held up\n');
  }
  // Twenty megabytes fit in no buffer: the command waits for its reader.
  expect((await other.call({ kind: 'ps' }).result).commands).toMatchObject([{ state: 'running' }]);
  let bytes = 0;
  for await (const { data } of stalled.output()) bytes += data.length;
  expect(bytes).toBe(size);
  expect(await stalled.result).toMatchObject({ exitCode: 0 });
});

test('when a client is gone, its foreground commands end, and its background commands continue', async () => {
  await using served = await Served.start();
  const [client, other] = [await served.connect(), await served.connect()];
  await client.call({ ...detached, argv: ['sleep', '4914'] }).result;
  const mine = client.call({ ...foreground, argv: ['sleep', '4914'] });
  const list = async () => (await other.call({ kind: 'ps' }).result).commands;
  await expect.poll(async () => (await list()).filter(({ pid }) => isThere(pid)).length).toBe(2);
  const [kept, ending] = await list();
  client.close();
  await expect(mine.result).rejects.toMatchObject({ code: 'HF_SERVE_LOST' });
  await expect.poll(() => isThere(ending?.pid)).toBe(false);
  expect(isThere(kept?.pid)).toBe(true);
  await expect.poll(list).toMatchObject([{ id: kept?.id, state: 'running' }]);
});

describe('a detached command', () => {
  test('is attached to and left by any client, with a terminal', async () => {
    await using served = await Served.start();
    const [first, second] = [await served.connect(), await served.connect()];
    const seen = await first.call({
      ...detached,
      argv: [
        'sh',
        '-c',
        'stty -echo; echo ready; while read line; do stty size; echo "got $line"; [ "$line" != end ] || exit 4; done',
      ],
      terminal: { columns: 80, rows: 24 },
    }).result;
    expect(seen).toMatchObject({ kind: 'left' });
    const look = first.call({ kind: 'attach', target: 'build', terminal: { columns: 101, rows: 33 } });
    let text = '';
    let typed = 'nothing';
    for await (const { data } of look.output()) {
      text += data.toString();
      // Any earlier, the terminal would echo it.
      if (text.includes('ready') && typed === 'nothing') await look.write(Buffer.from((typed = 'one\r')));
      if (text.includes('got one')) look.leave();
    }
    expect(text).toMatch(/^ready\r\n33 101\r\ngot one\r\n/u);
    expect(await look.result).toEqual(seen);
    const again = second.call({ kind: 'attach', target: 'build' });
    await again.write(Buffer.from('end\r'));
    expect((await printed(again)).stdout).toMatch(/^ready\r\n33 101\r\ngot one\r\n33 101\r\ngot end\r\n$/u);
    expect(await again.result).toMatchObject({ kind: 'ended', exitCode: 4 });
  });

  test('is readable while it runs and after its end', async () => {
    await using served = await Served.start();
    const client = await served.connect();
    const seen = await client.call({
      ...detached,
      argv: ['sh', '-c', 'echo begun; echo aside >&2; until [ -e go ]; do sleep 0.05; done; echo over'],
    }).result;
    const { id } = seen as { readonly id: string };
    const now = async () => await printed(client.call({ kind: 'logs', target: id, follow: 'no' }));
    await expect.poll(now).toEqual({ stdout: 'begun\n', stderr: 'aside\n' });
    const followed = printed(client.call({ kind: 'logs', target: id, follow: 'yes' }));
    served.project.write('go', '');
    expect(await followed).toEqual({ stdout: 'begun\nover\n', stderr: 'aside\n' });
    await expect
      .poll(async () => (await client.call({ kind: 'ps' }).result).commands)
      .toMatchObject([{ id, state: 'ended', exitCode: 0 }]);
    expect(await now()).toEqual({ stdout: 'begun\nover\n', stderr: 'aside\n' });
  });

  test('continues after its client leaves early, and then waits for no one', async () => {
    await using served = await Served.start();
    const client = await served.connect();
    const call = client.call({
      ...foreground,
      argv: ['sh', '-c', 'echo begun; head -c 3000000 /dev/zero; echo over; exit 5'],
    });
    for await (const { data } of call.output()) if (data.length > 0) break;
    call.leave();
    const seen = await call.result;
    expect(seen).toMatchObject({ kind: 'left' });
    await expect
      .poll(async () => (await client.call({ kind: 'ps' }).result).commands)
      .toMatchObject([{ state: 'ended', exitCode: 5 }]);
  });
});

describe('stop', () => {
  test('ends a command by SIGTERM, and by SIGKILL if it ignores that', async () => {
    await using served = await Served.start();
    const client = await served.connect();
    const start = async (script: string) =>
      ((await client.call({ ...detached, argv: ['sh', '-c', script] }).result) as { readonly id: string }).id;
    const [polite, deaf] = [
      await start('sleep 4914'),
      await start("trap '' TERM; echo ready; while :; do sleep 0.05; done"),
    ];
    await expect
      .poll(async () => (await printed(client.call({ kind: 'logs', target: deaf, follow: 'no' }))).stdout)
      .toBe('ready\n');
    for (const name of [polite, deaf])
      await client.call({ kind: 'stop', what: { kind: 'named', name }, graceMs: 300 }).result;
    expect((await client.call({ kind: 'ps' }).result).commands).toMatchObject([
      { id: polite, state: 'ended', exitCode: 143 },
      { id: deaf, state: 'ended', exitCode: 137 },
    ]);
  });

  test('ends a session with its commands, and the server with its sessions', async () => {
    await using served = await Served.start();
    const client = await served.connect();
    const running = client.call({ ...foreground, argv: ['sleep', '4914'] });
    await expect
      .poll(async () => (await client.call({ kind: 'ps' }).result).commands)
      .toMatchObject([{ state: 'running' }]);
    await client.call({ kind: 'stop', what: { kind: 'named', name: 'build' } }).result;
    expect(await running.result).toMatchObject({ kind: 'ended', exitCode: 137 });
    await expect(client.call({ ...foreground, argv: ['true'] }).result).rejects.toMatchObject({
      code: 'HF_SESSION_UNKNOWN',
    });
    expect(await client.call({ kind: 'stop', what: { kind: 'server' } }).result).toEqual({ stopped: 'server' });
    await served.server.ended;
    expect(existsSync(served.server.socket)).toBe(false);
  });
});

test('a session consists of its name and its options', async () => {
  await using served = await Served.start();
  const client = await served.connect();
  const open = (more: object) =>
    client.call({
      kind: 'open',
      name: 'build',
      options: { ...served.options, ...more },
      environment: served.environment,
    }).result;
  expect(await open({})).toMatchObject({ name: 'build', workspace: served.project.workspace });
  await expect(open({ grants: { write: ['/var/tmp'] } })).rejects.toMatchObject({ code: 'HF_SESSION_DIFFERS' });
  await expect(client.call({ kind: 'open', name: 'none' }).result).rejects.toMatchObject({
    code: 'HF_SESSION_UNKNOWN',
  });
  await expect(client.call({ kind: 'open', name: 'c12', options: served.options }).result).rejects.toMatchObject({
    code: 'HF_USAGE',
  });
});
