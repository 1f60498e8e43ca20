import { PassThrough, type Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CommandEnd, StartedCommand } from './command-handle.ts';
import { laterHandle, passing, startInTurn } from './start-in-turn.ts';
import { Turnstile } from './turnstile.ts';

const clean: CommandEnd = { exitCode: 0, signal: 0, ending: 'exited', refusals: [], quarantined: [] };

const ready = (): Promise<void> => Promise.resolve();

/** A turnstile for one command, occupied until `free`. */
function busy() {
  const turns = new Turnstile({ starting: 1, running: 10 });
  const begun: string[] = [];
  const sent: string[] = [];
  const begin = (name: string) => (): StartedCommand => {
    begun.push(name);
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    for (const stream of [stdout, stderr]) stream.end(name);
    return {
      stdin,
      stdout,
      stderr,
      ended: Promise.resolve(clean),
      pid: () => 7,
      kill: (which = 'SIGTERM') => void sent.push(which),
      resize: () => undefined,
    };
  };
  const first = turns.tryEnter();
  return {
    begun,
    sent,
    free: () => first?.ended(),
    join: (name: string, signal?: AbortSignal) => startInTurn({ turns, ready, begin: begin(name), signal }),
    turns,
  };
}

test('commands begin in their order, each once, and have their own streams', async () => {
  const { begun, free, join } = busy();
  const commands = ['a', 'b', 'c'].map((name) => join(name));
  await setImmediate();
  expect([begun, commands[0]?.pid()]).toEqual([[], undefined]);
  free();
  expect(await Promise.all(commands.map(({ ended }) => ended))).toEqual([clean, clean, clean]);
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(await Promise.all(commands.map(async ({ stdout }) => String((await stdout.toArray())[0])))).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(commands[0]?.pid()).toBe(7);
});

test('a waiting command that is ended never begins, ends normally, and delays nobody', async () => {
  const { begun, free, join } = busy();
  const leaving = new AbortController();
  const [terminated, killed, aborted, early] = [
    join('a'),
    join('b'),
    join('c', leaving.signal),
    join('d', AbortSignal.abort()),
  ];
  const last = join('e');
  terminated.kill();
  killed.kill('SIGKILL');
  leaving.abort();
  expect(await terminated.ended).toEqual({ ...clean, exitCode: 143, signal: 15 });
  expect(await killed.ended).toEqual({ ...clean, exitCode: 137, signal: 9 });
  expect(await aborted.ended).toEqual({ ...clean, exitCode: 137, signal: 9, ending: 'aborted' });
  expect(await early.ended).toEqual({ ...clean, exitCode: 137, signal: 9, ending: 'aborted' });
  expect(await aborted.stdout.toArray()).toEqual([]);
  free();
  expect(await last.ended).toEqual(clean);
  expect(begun).toEqual(['e']);
});

test('a command ended at its turn does not begin, and passes the turn on', async () => {
  const { begun, free, join } = busy();
  const [first, second] = [join('a'), join('b')];
  free();
  first.kill();
  expect(await first.ended).toMatchObject({ exitCode: 143 });
  expect(await second.ended).toEqual(clean);
  expect(begun).toEqual(['b']);
});

test('a signal that ends nothing waits with it, and its own signal does not end it a second time', async () => {
  const { sent, free, join } = busy();
  const leaving = new AbortController();
  const command = join('a', leaving.signal);
  command.kill('SIGWINCH');
  free();
  expect(await command.ended).toEqual(clean);
  leaving.abort();
  expect([sent, await command.ended]).toEqual([['SIGWINCH'], clean]);
});

test('a command that cannot begin passes the turn on, at once and later', async () => {
  const { free, join, turns, begun } = busy();
  const fail = (): never => {
    throw new Error('no box');
  };
  const failing = startInTurn({ turns, ready, begin: fail });
  const next = join('a');
  free();
  await expect(failing.ended).rejects.toThrow('no box');
  expect(await next.ended).toEqual(clean);
  await setImmediate();
  const pass = turns.tryEnter();
  expect(pass).toBeDefined();
  expect(() => passing(pass as NonNullable<typeof pass>, fail)).toThrow('no box');
  expect(turns.tryEnter()).toBeDefined();
  expect(begun).toEqual(['a']);
});

test('a command that waits for its supervisor keeps its turn, for any time', async () => {
  const turns = new Turnstile({ starting: 1, running: 10 });
  const serving = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<CommandEnd>();
  const stream = new PassThrough();
  const command: StartedCommand = {
    stdin: stream,
    stdout: stream,
    stderr: stream,
    ended: ended.promise,
    served: serving.promise,
    pid: () => 7,
    kill: () => undefined,
    resize: () => undefined,
  };
  const pass = turns.tryEnter();
  passing(pass as NonNullable<typeof pass>, () => command);
  await setTimeout(300);
  expect(turns.tryEnter()).toBeUndefined();
  serving.resolve();
  await expect.poll(() => turns.tryEnter(), { timeout: 20_000 }).toBeDefined();
});

function begun() {
  const killed: (NodeJS.Signals | undefined)[] = [];
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let end: (exitCode: number) => void = () => undefined;
  const ended = new Promise<Awaited<StartedCommand['ended']>>(
    (resolve) =>
      (end = (exitCode) => resolve({ exitCode, signal: 0, ending: 'exited', refusals: [], quarantined: [] })),
  );
  const handle: StartedCommand = {
    stdin,
    stdout,
    stderr,
    ended,
    kill: (signal) => void killed.push(signal),
    pid: () => 7,
    resize: () => undefined,
  };
  return { handle, stdin, stdout, stderr, killed, end };
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a command that starts later', () => {
  test('gets earlier input, and gives its output', async () => {
    const { handle, stdin, stdout, stderr, end } = begun();
    let approve: (handle: StartedCommand) => void = () => undefined;
    const later = laterHandle(new Promise((resolve) => (approve = resolve)));
    later.stdin.end('early');
    const output = Promise.all([textOf(later.stdout), textOf(later.stderr)]);
    approve(handle);
    expect(await textOf(stdin)).toBe('early');
    stdout.end('out');
    stderr.end('err');
    end(7);
    expect(await output).toEqual(['out', 'err']);
    expect(await later.ended).toMatchObject({ exitCode: 7 });
  });

  test('that is not approved ends with that, and prints nothing', async () => {
    const later = laterHandle(Promise.reject(new Error('refused')));
    later.stdin.end('x'.repeat(1_000_000));
    expect(await Promise.all([textOf(later.stdout), textOf(later.stderr)])).toEqual(['', '']);
    await expect(later.ended).rejects.toThrow('refused');
  });

  test('gets the signals that came before', async () => {
    const { handle, killed, stdout, stderr, end } = begun();
    const later = laterHandle(Promise.resolve(handle));
    later.kill();
    later.kill('SIGKILL');
    end(0);
    stdout.end();
    stderr.end();
    await later.ended;
    later.kill('SIGINT');
    expect(killed).toEqual(['SIGTERM', 'SIGKILL', 'SIGINT']);
  });

  test('may end without reading its input', async () => {
    const { handle, stdin, end } = begun();
    const later = laterHandle(Promise.resolve(handle));
    await Promise.resolve();
    stdin.destroy(new Error('EPIPE'));
    later.stdin.end('x'.repeat(1_000_000));
    end(0);
    expect(await later.ended).toMatchObject({ exitCode: 0 });
  });
});
