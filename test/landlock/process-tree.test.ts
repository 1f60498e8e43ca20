import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { childrenOf, isRunning } from '../../scripts/testing/processes.ts';
import type { LaunchedBox } from '../../src/backends/backend.ts';
import type { Plan } from '../../src/plan/types.ts';
import { Places } from './lib/plain-box.ts';

/** Each writes its number into the workspace, and none ends by itself. */
const daemons = `
  setsid sh -c 'echo $$ >> pids; exec sleep 300' > /dev/null < /dev/null &
  (setsid sh -c '(echo $$ >> pids; trap "" TERM HUP INT; sleep 300; sleep 300) & exit' &) > /dev/null 2>&1 < /dev/null
  python3 -c 'import ctypes, os, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
open("pids", "a").write("%d\\n" % os.getpid())
if os.fork() == 0:
  if os.fork() == 0:
    open("pids", "a").write("%d\\n" % os.getpid())
    time.sleep(300)
  os._exit(0)
time.sleep(300)' > /dev/null 2>&1 < /dev/null &
  while [ "$(sort -u pids 2> /dev/null | wc -l)" -lt 4 ]; do sleep 0.05; done
  touch ready`;

/** A child of a child, and so on: after the end of one level, the next one remains. */
const chain = `
  [ "\${1:-0}" -lt 7 ] && { sh "$0" $((\${1:-0} + 1)); exit; }
  echo $$ >> pids; touch ready; sleep 300`;

/** Forks from a process that ends immediately, so that every list of processes is out of date. */
const hopper = `import os
for _ in range(4):
  if os.fork() == 0:
    os.setsid()
    open('ready', 'w').close()
    while True:
      if os.fork() != 0: os._exit(0)`;

function pidsIn(places: Places): readonly number[] {
  return readFileSync(join(places.workspace, 'pids'), 'utf8').trim().split('\n').map(Number);
}

/**
 * Also waits for the report of init's number. Before it, the number is 0, which means every process of this test's own
 * group.
 */
async function waitFor(box: LaunchedBox, file: string): Promise<void> {
  while (!existsSync(file) || box.initPid() === 0) await sleep(10);
}

async function untilGone(pids: readonly number[]): Promise<readonly number[]> {
  for (let tries = 0; tries < 2000 && pids.some(isRunning); tries += 1) await sleep(10);
  return pids.filter(isRunning);
}

/** The number of this user's processes with a directory of the box as their own. */
async function inWorkspace(places: Places): Promise<number> {
  const { readdirSync, readlinkSync } = await import('node:fs');
  const cwd = (pid: string): string => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return '';
    }
  };
  return readdirSync('/proc').filter((name) => /^\d/u.test(name) && cwd(name) === places.workspace).length;
}

const endings: Readonly<Record<string, (box: LaunchedBox) => void>> = {
  'the supervisor says so': (box) => box.end(),
  'the launcher is killed': (box) => box.process.kill('SIGKILL'),
  'who keeps the house is killed': (box) => process.kill(box.initPid(), 'SIGKILL'),
  'the command is killed': (box) => {
    const [command = 0] = childrenOf(box.initPid());
    if (command === 0) throw new Error('the box has no command');
    process.kill(command, 'SIGKILL');
  },
};

describe('all processes of a box without namespaces end with it', () => {
  test('when the command has ended', async () => {
    using places = new Places();
    const { exitCode } = await places.script(`${daemons}\nexit 3`);
    expect([exitCode, pidsIn(places).length, await untilGone(pidsIn(places)), existsSync(places.scratch)]).toEqual([
      3,
      4,
      [],
      false,
    ]);
  });

  test.each(Object.keys(endings))('when %s', async (how) => {
    using places = new Places();
    const box = places.start({ command: ['sh', '-c', `${daemons}; exec sleep 300`] }, { stderr: 'tail' });
    await waitFor(box, join(places.workspace, 'ready'));
    endings[how]?.(box);
    await box.outcome.catch(() => undefined);
    expect([pidsIn(places).length, await untilGone(pidsIn(places))]).toEqual([4, []]);
    for (let tries = 0; tries < 2000 && existsSync(places.scratch); tries += 1) await sleep(10);
    expect(existsSync(places.scratch)).toBe(false);
  });

  test.each(['the supervisor says so', 'who keeps the house is killed'] as const)(
    'including those that fork too fast for any list: %s',
    async (how) => {
      using places = new Places();
      const box = places.start({ command: ['python3', '-c', `${hopper}\nimport time; time.sleep(300)`] });
      await waitFor(box, join(places.workspace, 'ready'));
      endings[how]?.(box);
      await box.outcome;
      expect(await inWorkspace(places)).toBe(0);
    },
  );

  test('a chain of processes, whichever is killed', async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      using places = new Places();
      writeFileSync(join(places.workspace, 'chain'), chain);
      const box = places.start({ command: ['sh', './chain'] });
      await waitFor(box, join(places.workspace, 'ready'));
      endings['who keeps the house is killed']?.(box);
      await box.outcome;
      expect(pidsIn(places).filter(isRunning)).toEqual([]);
    }
  });

  test('a time limit', async () => {
    using places = new Places();
    const box = places.start({
      command: ['sh', '-c', `trap '' TERM; ${daemons}; while :; do sleep 1; done`],
      change: (plan) => ({ ...plan, limits: { ...plan.limits, wall: 1500, grace: 100 } }),
    });
    expect((await box.outcome).ending).toBe('timed-out');
    expect(await untilGone(pidsIn(places))).toEqual([]);
  });
});

test('an unreadable private directory is removed', async () => {
  using places = new Places();
  writeFileSync(join(places.outside, 'kept'), 'kept');
  const { exitCode } = await places.run({
    command: [
      'python3',
      '-c',
      `
import os
top = os.environ['TMPDIR']
os.chdir(top)
for _ in range(1000):
  os.mkdir('d'); os.chdir('d')
open('deep', 'w').close()
os.chdir(top)
os.makedirs('locked/inner'); open('locked/inner/file', 'w').close(); os.symlink('${places.outside}', 'locked/link'); os.symlink('${places.outside}', 'link'); os.mkfifo('pipe')
os.chmod('locked/inner', 0); os.chmod('locked', 0); os.chmod(top, 0)`,
    ],
  });
  expect([exitCode, existsSync(places.scratch), readFileSync(join(places.outside, 'kept'), 'utf8')]).toEqual([
    0,
    false,
    'kept',
  ]);
});

test('unused private directories are removed with the next, and others stay', async () => {
  const names = ['dead', 'held', 'young'].map(
    (name) => `holdfast-${process.getuid?.()}-test-${process.pid}-${name}.box`,
  );
  using places = new Places();
  const [dead = '', held = '', young = ''] = names.map((name) => join(places.root, name));
  const theirs = join(places.root, 'holdfast-notes');
  for (const each of [dead, held, young, theirs]) mkdirSync(join(each, 'deep/er'), { recursive: true });
  writeFileSync(join(dead, 'deep/file'), 'left');
  symlinkSync(places.outside, join(dead, 'link'));
  writeFileSync(join(places.outside, 'kept'), 'kept');
  const holder = spawn('flock', ['--no-fork', '-x', held, 'sh', '-c', 'echo locked; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const scratch = join(places.root, `holdfast-${process.getuid?.()}-test-${process.pid}-own.box`);
  const run = async (): Promise<void> =>
    void (await places.run({
      command: ['true'],
      change: (plan) => JSON.parse(JSON.stringify(plan).replaceAll(places.scratch, scratch)) as Plan,
    }));
  await run();
  expect(readdirSync(places.root), 'they may be about to be locked').toEqual(expect.arrayContaining(names));
  for (const each of [dead, held, theirs]) utimesSync(each, 1, 1);
  await run();
  expect([dead, held, young, theirs, join(places.outside, 'kept'), scratch].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
  holder.kill();
});
