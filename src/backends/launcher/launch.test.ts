import type { ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FoundName, LaunchedBox, BackendStart } from '../backend.ts';
import { launch, receiveListeners } from './launch.ts';

/** Starts a shell script in the launcher's place; it has the control stream as descriptor 3. */
function launchScript(
  script: string,
  plan: Buffer = Buffer.from('plan\n'),
  ears: Pick<BackendStart, 'listener' | 'known'> = {},
): LaunchedBox {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-launch-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const launcher = join(directory, 'launch');
  writeFileSync(launcher, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return launch({ launcher, arguments: ['a', 'b c'], encodedPlan: plan, stdio: ['ignore', 'pipe', 'ignore'], ...ears });
}

/** A command of the script that sends one report. */
function send(kind: number, payload: Buffer | string): string {
  const bytes = Buffer.from(payload);
  const frame = Buffer.concat([numbers(bytes.length + 1), Buffer.from([kind]), bytes]);
  return `echo ${frame.toString('base64')} | base64 -d >&3`;
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}

const exitFrame = (code: number, signal: number): string => send(3, numbers(code, signal));

async function outputOf(box: LaunchedBox): Promise<string> {
  let text = '';
  for await (const chunk of box.process.stdout ?? []) text += String(chunk);
  return text;
}

describe('launch', () => {
  test('hands over the plan on descriptor 3, with an empty environment, outside of every workspace', async () => {
    const box = launchScript(`read -r plan <&3; echo "$plan|$*|$(pwd)|$HOME|$HOLDFAST_TEST"; ${exitFrame(0, 0)}`);
    expect(await outputOf(box)).toBe('plan|a b c|/||\n');
    await expect(box.outcome).resolves.toEqual({
      initPid: 0,
      protectedBefore: [],
      exitCode: 0,
      signal: 0,
      failure: undefined,
      landlockAbi: 0,
      appeared: [],
      refused: [],
      covered: [],
      stderrTail: Buffer.alloc(0),
      ending: 'exited',
    });
  });

  test.each([
    [exitFrame(7, 0), { exitCode: 7, signal: 0 }],
    [exitFrame(0, 9), { exitCode: 137, signal: 9 }],
    [`${exitFrame(3, 0)}; exit 44`, { exitCode: 3, signal: 0 }],
  ])('takes the status from the report, not from the launcher: %s', async (script, outcome) => {
    // One that ends before it was given the plan breaks the pipe, and its reports with it.
    await expect(launchScript(`read -r plan <&3; ${script}`).outcome).resolves.toMatchObject(outcome);
  });

  test('gathers reports until the stream ends, also after the exit', async () => {
    const late = `(sleep 0.2; ${send(5, '/a')}; ${send(5, '/b')}; ${send(6, 'hi')}) &`;
    const script = ['read -r plan <&3', send(1, numbers(6, 0)), send(7, ''), exitFrame(143, 0), late].join('\n');
    await expect(launchScript(script).outcome).resolves.toMatchObject({
      landlockAbi: 6,
      ending: 'timed-out',
      appeared: [Buffer.from('/a'), Buffer.from('/b')],
      stderrTail: Buffer.from('hi'),
    });
  });

  test('tells a failure with its stage', async () => {
    const script = `read -r plan <&3; ${send(2, Buffer.concat([numbers(2), Buffer.from('exec\0abc\0')]))}; ${exitFrame(125, 0)}`;
    await expect(launchScript(script).outcome).resolves.toMatchObject({
      exitCode: 125,
      failure: { stage: 'exec', path: 'abc', errno: 2 },
    });
  });

  test.each([
    ['ended without a report', 'exit 3', { exitCode: 3, failure: { stage: 'launcher killed', path: '' } }],
    ['was killed', 'kill -9 $$', { exitCode: 137, failure: { stage: 'launcher killed', path: 'SIGKILL' } }],
    ['crashed', 'kill -SEGV $$', { exitCode: 137, failure: { stage: 'launcher killed', path: 'SIGSEGV' } }],
    [
      'ended in the middle of a report',
      "printf '\\011\\0\\0\\0\\003' >&3",
      { exitCode: 0, failure: { stage: 'launcher killed' } },
    ],
  ])('never takes a launcher that %s for a command that ended', async (_how, script, outcome) => {
    await expect(launchScript(script).outcome).resolves.toMatchObject(outcome);
  });

  test('rejects an invalid message, and ends the launcher', async () => {
    const box = launchScript("printf 'garbage, garbage' >&3; exec sleep 60");
    await expect(box.outcome).rejects.toMatchObject({
      code: 'HF_LAUNCHER_FAILED',
      remedy: expect.stringContaining('make'),
    });
    await expect.poll(() => box.process.signalCode).toBe('SIGKILL');
  });

  test('survives a launcher that never reads a large plan', async () => {
    const box = launchScript('exit 5', Buffer.alloc(8 << 20));
    await expect(box.outcome).resolves.toMatchObject({ exitCode: 5, failure: { stage: 'launcher killed' } });
  });

  test('asks the launcher to end the box by one byte', async () => {
    const box = launchScript(`read -r plan <&3; echo ready; head -c 1 <&3; ${exitFrame(0, 9)}`);
    box.process.stdout?.once('data', () => box.end());
    expect(await outputOf(box)).toBe('ready\nk');
    await expect(box.outcome).resolves.toMatchObject({ signal: 9 });
    expect(() => box.end()).not.toThrow();
  });

  test('lets a command that is held begin by one byte', async () => {
    const box = launchScript(`read -r plan <&3; echo ready; head -c 1 <&3; ${exitFrame(0, 0)}`);
    box.process.stdout?.once('data', () => box.begin());
    expect(await outputOf(box)).toBe('ready\ng');
    await expect(box.outcome).resolves.toMatchObject({ exitCode: 0 });
  });

  test('reports later findings in full before the command begins, and ends the box without a receiver', async () => {
    const found = (path: string): string => send(4, Buffer.concat([Buffer.alloc(26), Buffer.from(path)]));
    const script = `read -r plan <&3; ${found('/a')}; ${send(9, numbers(5))}; head -c 1 <&3; ${found('/b')}; ${send(11, '')}; head -c 1 <&3; ${exitFrame(0, 0)}`;
    const told: string[][] = [];
    const hear = async (names: readonly FoundName[]) => void told.push(names.map(({ path }) => String(path)));
    const box = launchScript(script, undefined, { listener: (_pid, _descriptor, names) => hear(names), known: hear });
    expect(await outputOf(box)).toBe('nf');
    expect(told).toEqual([['/a'], ['/a', '/b']]);
    const deaf = launchScript(script, undefined, { listener: async () => undefined });
    const ended = expect(deaf.outcome).rejects.toMatchObject({ code: 'HF_INTERNAL' });
    expect(await outputOf(deaf)).toBe('nk');
    await ended;
  });

  test.each(['/nonexistent/holdfast-launch', '/etc/passwd'])(
    'says how to build a launcher that cannot be started: %s',
    async (launcher) => {
      const box = launch({
        launcher,
        arguments: [],
        encodedPlan: Buffer.from('plan'),
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      await expect(box.outcome).rejects.toMatchObject({
        code: 'HF_LAUNCHER_MISSING',
        remedy: expect.stringContaining('make'),
      });
    },
  );
});

function receive(message: unknown, handle?: unknown): readonly string[] {
  const heard: string[] = [];
  const child = Object.assign(new EventEmitter(), { kill: (signal: string) => heard.push(signal) });
  receiveListeners(child as unknown as ChildProcess, {
    tcp: () => heard.push('tcp'),
    dns: () => heard.push('dns'),
    forwarded: (id, handle) => heard.push(`forward ${id} ${handle === undefined ? 'refused' : 'connected'}`),
    complete: (reach) => heard.push(reach),
  });
  child.emit('message', message, handle);
  return heard;
}

test('takes listeners and the end of them', () => {
  const socket = createSocket('udp4');
  expect(receive({ listener: 'dns' }, socket)).toEqual(['dns']);
  socket.close();
  expect(receive({ listener: 'tcp' }, {})).toEqual(['tcp']);
  expect(receive({ forward: 7 }, {})).toEqual(['forward 7 connected']);
  expect(receive({ forward: 8 })).toEqual(['forward 8 refused']);
  expect(receive({ reach: 'every-port' })).toEqual(['every-port']);
  expect(receive({ reach: 'listed-ports' })).toEqual(['listed-ports']);
});

test.each([[null], ['tcp'], [{ listener: 'tcp' }], [{ listener: 'dns' }, {}], [{ reach: 'everywhere' }], [{}]])(
  'ends a launcher that says %o',
  (message, handle?: unknown) => {
    expect(receive(message, handle)).toEqual(['SIGKILL']);
  },
);
