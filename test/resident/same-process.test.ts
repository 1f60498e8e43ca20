import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binary, has } from '../lib/holdfast.ts';
import { isRunning } from '../../scripts/testing/processes.ts';
import { Begun, ResidentProject } from '../lib/resident.ts';

let project: ResidentProject;
let resident: number;
beforeAll(() => {
  project = new ResidentProject();
  resident = project.serve();
});
afterAll(() => project[Symbol.dispose]());

const ways = ['warm', 'cold'] as const;
type Way = (typeof ways)[number];

function begin(way: Way, words: readonly string[]): Begun {
  return project.begin(words, { environment: way === 'cold' ? { HOLDFAST_RESIDENT: 'never' } : {} });
}

/** Fields of /proc/PID/stat from the state on. */
function statOf(pid: number): readonly string[] {
  return (readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ');
}

describe.each(ways)('a run that is %s', (way) => {
  test('keeps its process: its parent, group, session, control group and terminal are its caller’s', async () => {
    const run = await begin(way, ['run', '--', 'sh', '-c', 'echo ready; cat']).said('ready');
    expect(run.way).toBe(way);
    const own = statOf(process.pid);
    // State, parent, group, session, terminal.
    expect(statOf(run.pid).slice(1, 5)).toEqual([String(process.pid), ...own.slice(2, 5)]);
    expect(readFileSync(`/proc/${run.pid}/cgroup`, 'utf8')).toBe(readFileSync('/proc/self/cgroup', 'utf8'));
    run.process.stdin?.end('to the end');
    expect(await run.ended).toEqual({ status: 0, signal: null });
    expect(run.stdout).toBe('ready\nto the end');
  });

  test('contains nothing of its supervisor: neither descriptors, nor sockets, nor variables', () => {
    const script =
      'ls /proc/self/fd; for f in /proc/*/fd/*; do readlink $f; done; env | grep -i -e RESIDENT -e run/front; ss -xaH 2>/dev/null; cat /proc/*/environ | tr "\\0" "\\n" | grep -i resident; true';
    const { stdout, stderr } = project.script(
      `"$H" run --host example.org -- sh -c '${script}' </dev/null 2>&1 | cat`,
      { environment: way === 'cold' ? { HOLDFAST_RESIDENT: 'never' } : {} },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^0\n1\n2\n3\n/u);
    expect(stdout).not.toMatch(/socket|anon_inode|RESIDENT|front|serve/u);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)(
    'passes %s on, and ends as the command does',
    async (signal) => {
      const asked = await begin(way, [
        'run',
        '--',
        'sh',
        '-c',
        `trap 'echo caught; exit 9' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`,
      ]).said('ready');
      asked.process.kill(signal);
      expect(await asked.ended).toEqual({ status: 9, signal: null });
      expect(asked.stdout).toContain('caught');
      const plain = await begin(way, ['run', '--', 'sh', '-c', 'echo ready; exec sleep 60']).said('ready');
      plain.process.kill(signal);
      expect(await plain.ended).toEqual({ status: 128 + constants.signals[signal], signal: null });
    },
  );

  test('is ended by a signal at any moment of its start, and leaves nothing', async () => {
    for (let wait = 0; wait < 30; wait += 3) {
      const run = begin(way, ['run', '--', 'sh', '-c', 'touch began; exec sleep 60']);
      await new Promise((resolve) => setTimeout(resolve, wait));
      run.process.kill('SIGTERM');
      const { status, signal } = await run.ended;
      expect(signal === 'SIGTERM' || status === 143, `${wait} ms: ${status} ${signal} ${run.stderr}`).toBe(true);
    }
    expect(isRunning(resident)).toBe(true);
  });

  // Node takes over its signals at its start, and cannot tell which of them its caller ignored.
  test.runIf(way === 'warm')('survives under nohup', async () => {
    const child = new Begun(
      (await import('node:child_process')).spawn(
        'nohup',
        [binary, 'run', '--', 'sh', '-c', 'echo ready; sleep 0.5; echo lives'],
        {
          cwd: project.workspace,
          env: { ...project.environment, ...(way === 'cold' ? { HOLDFAST_RESIDENT: 'never' } : {}) },
        },
      ),
    );
    await child.said('ready');
    child.process.kill('SIGHUP');
    expect(await child.ended).toEqual({ status: 0, signal: null });
    expect(child.stdout).toContain('lives');
  });

  test('passes a stop and a continue to the command', async () => {
    const run = await begin(way, [
      'run',
      '--',
      'sh',
      '-c',
      'echo ready; while :; do date +%s%N > ticks; sleep 0.02; done',
    ]).said('ready');
    const ticks = (): string => readFileSync(join(project.workspace, 'ticks'), 'utf8');
    const goesOn = async (): Promise<void> => {
      const before = ticks();
      await expect.poll(ticks).not.toBe(before);
    };
    await goesOn();
    run.process.kill('SIGSTOP');
    await expect.poll(() => statOf(run.pid)[0]).toBe('T');
    run.process.kill('SIGCONT');
    await goesOn();
    run.process.kill('SIGTERM');
    await run.ended;
  });
});

test.skipIf(!has('expect'))('restores a terminal after its supervisor was killed', () => {
  const script = String.raw`
    log_user 0
    set timeout 15
    proc want {pattern} {
      expect {
        -re $pattern {}
        timeout { puts "no '$pattern' came"; exit 1 }
        eof { puts "end before '$pattern'"; exit 1 }
      }
    }
    spawn -noecho sh
    send "PS1='out''side> '; stty -a > before\r"
    want {outside> $}
    send "$env(H) run -- sh -c 'stty raw -echo; printf re%s ady; sleep 60'; echo status=\$?\r"
    want {ready}
    exec kill -9 $env(RESIDENT)
    want {HF_SUPERVISOR_LOST.*status=125}
    want {outside> $}
    send "stty -a | diff - before && echo as ''before\r"
    want {as before}
    send "exit\r"
    expect eof
  `;
  using other = new ResidentProject();
  const own = other.serve();
  const { status, stdout } = spawnSync('expect', ['-c', script], {
    cwd: other.workspace,
    env: { ...other.environment, H: binary, RESIDENT: String(own), TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
