import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { beforeTimer } from '../../../scripts/testing/before-timer.ts';
import { longestAnswer, type ProgramEnd, type ProgramRun, runProgram } from './run-program.ts';
import { directory } from './testing/scene.ts';

function run(script: string, parts: Partial<ProgramRun> = {}): Promise<ProgramEnd> {
  return runProgram({
    path: '/bin/sh',
    words: ['-c', script],
    environment: { PATH: '/usr/bin:/bin' },
    timeout: 10_000,
    signal: new AbortController().signal,
    ...parts,
  });
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 1000; tries += 1) {
    try {
      // A zombie that nobody has waited for is gone, too: the machine's init may be slow.
      if (/^\d+ \(.*\) Z/u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true;
    } catch {
      return true;
    }
    await wait(20);
  }
  return false;
}

describe('a program', () => {
  test.each<[string, string, ProgramEnd]>([
    ['says what it says', 'printf EXAMPLE', { kind: 'output', text: 'EXAMPLE' }],
    ['says nothing', 'true', { kind: 'output', text: '' }],
    ['says lines', 'printf "a\\nb\\n"', { kind: 'output', text: 'a\nb\n' }],
    ['fails', 'printf EXAMPLE; printf EXAMPLE >&2; exit 3', { kind: 'status', status: 3 }],
    ['is killed', 'printf EXAMPLE; kill -TERM $$', { kind: 'signal', signal: 'SIGTERM' }],
    ['says what is not UTF-8', 'printf "\\377"', { kind: 'not-text' }],
    ['never stops talking', 'yes', { kind: 'too-long' }],
  ])('that %s', async (_, script, end) => {
    expect(await run(script)).toEqual(end);
  });

  test.each([
    [longestAnswer, 'output'],
    [longestAnswer + 1, 'too-long'],
  ] as const)('that says %i bytes: %s', async (length, kind) => {
    expect(await run(`head -c ${length} /dev/zero | tr '\\0' x`)).toMatchObject({ kind });
  });

  test.each([
    ['is not there', '/no/such/program', 'ENOENT'],
    ['has an impossible name', '/bin/\0sh', 'ERR_INVALID_ARG_VALUE'],
  ])('that %s', async (_, path, code) => {
    expect(await run('', { path })).toEqual({ kind: 'not-started', code });
  });

  test('gets its arguments as they are, whatever a shell would make of them', async () => {
    expect(await run('', { path: '/bin/echo', words: ['$HOME', '`id`', '; id', '*'] })).toEqual({
      kind: 'output',
      text: '$HOME `id` ; id *\n',
    });
  });

  test('has the environment that it is given and no other', async () => {
    expect(await run('', { path: '/usr/bin/env', words: [], environment: { A: 'b' } })).toEqual({
      kind: 'output',
      text: 'A=b\n',
    });
  });

  test('starts at the root: nothing of a workspace is its configuration', async () => {
    expect(await run('pwd')).toEqual({ kind: 'output', text: '/\n' });
  });

  test('reads its input, or nothing', async () => {
    expect(await run('cat', { input: 'EXAMPLE' })).toEqual({ kind: 'output', text: 'EXAMPLE' });
    expect(await run('cat')).toEqual({ kind: 'output', text: '' });
    expect(await run('readlink /proc/self/fd/0')).toEqual({ kind: 'output', text: '/dev/null\n' });
  });

  test('that does not read its input is no failure of ours', async () => {
    expect(await run('exec <&-; printf done', { input: 'x'.repeat(1_000_000) })).toEqual({
      kind: 'output',
      text: 'done',
    });
  });

  test('has no terminal that it could ask at', async () => {
    expect(await run('read -r word < /dev/tty && echo "$word"')).toMatchObject({ kind: 'status' });
    expect(await run('ps -o tty= -p $$ || cut -d" " -f7 /proc/$$/stat')).toMatchObject({
      text: expect.stringMatching(/^(?:\?|0)\s*$/u) as string,
    });
  });

  test('that hangs is killed with its children', async () => {
    const pids = join(directory(), 'pids');
    const hanging = (): Promise<ProgramEnd> =>
      run(`sleep 1000 & echo $! $$ > ${pids}; sleep 1000; echo EXAMPLE`, { timeout: 3000 });
    expect(await beforeTimer(6000, hanging)).toEqual({ kind: 'time-out' });
    const left = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
    expect(left).toHaveLength(2);
    expect(await Promise.all(left.map(isGone))).toEqual([true, true]);
  });

  test('that ignores signals is killed as well', async () => {
    expect(await run('trap "" TERM HUP INT; while :; do sleep 1; done', { timeout: 300 })).toEqual({
      kind: 'time-out',
    });
  });

  test('that leaves an agent behind is not waited for, and the agent lives', async () => {
    const file = join(directory(), 'pid');
    // Anyone who waits for the agent waits until the time is over, and has no output then.
    expect(await run(`sleep 1000 & echo $! > ${file}; printf EXAMPLE`, { timeout: 60_000 })).toEqual({
      kind: 'output',
      text: 'EXAMPLE',
    });
    const pid = Number(readFileSync(file, 'utf8'));
    expect(() => process.kill(pid, 'SIGKILL')).not.toThrow();
  });

  test('is stopped when its answer is no longer wanted', async () => {
    const ending = new AbortController();
    const file = join(directory(), 'late');
    const end = run(`sleep 1; echo late > ${file}`, { signal: ending.signal });
    await wait(100);
    ending.abort();
    expect(await end).toEqual({ kind: 'aborted' });
    await wait(1200);
    expect(existsSync(file)).toBe(false);
  });

  test('is not started for an unwanted answer', async () => {
    const file = join(directory(), 'started');
    expect(await run(`echo > ${file}`, { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' });
    expect(existsSync(file)).toBe(false);
  });

  test('that may not be executed', async () => {
    const path = join(directory(), 'helper');
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o644 });
    expect(await run('', { path })).toEqual({ kind: 'not-started', code: 'EACCES' });
  });

  test('that was written by hand and is no program says so', async () => {
    const path = join(directory(), 'helper');
    writeFileSync(path, '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await run('', { path })).toEqual({ kind: 'not-started', code: 'ENOENT' });
  });
});
