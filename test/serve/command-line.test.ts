import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { binary, has, Project } from '../lib/holdfast.ts';

interface Listing {
  readonly server: { readonly process: number };
  readonly sessions: readonly { readonly name: string }[];
  readonly commands: readonly {
    readonly id: string;
    readonly pid?: number;
    readonly state: string;
    readonly exitCode?: number;
  }[];
}

/** A project whose server runs in the background. */
function started(): { readonly project: Project; readonly ps: () => Listing; readonly socket: string } {
  const project = new Project();
  onTestFinished(() => {
    project.holdfast(['stop', '--server']);
    project[Symbol.dispose]();
  });
  const { status, stdout, stderr } = project.holdfast(['serve', '--detach']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const ps = (): Listing => JSON.parse(project.holdfast(['ps', '--json']).stdout) as Listing;
  expect(`${ps().server.process}\n`).toBe(stdout);
  return { project, ps, socket: join(project.state, 'run/serve.sock') };
}

const isThere = (pid: number | undefined): boolean => pid !== undefined && existsSync(`/proc/${pid}`);

test('commands have the streams and the status of this process, and stay in the box of their session', () => {
  const { project } = started();
  const exec = (script: string, input = '') => project.holdfast(['exec', 'build', '--', 'sh', '-c', script], { input });
  expect(exec('cat; echo aside >&2; exit 6', 'typed')).toMatchObject({ status: 6, stdout: 'typed', stderr: 'aside\n' });
  exec('echo written > inside; echo beyond > "$HOME/beyond"');
  expect([existsSync(join(project.workspace, 'inside')), existsSync(join(project.home, 'beyond'))]).toEqual([
    true,
    false,
  ]);
  expect(exec('find / -name serve.sock 2> /dev/null').stdout).toBe('');
  expect(project.holdfast(['exec', 'build', '--', 'there-is-no-such-program'])).toMatchObject({ status: 127 });
  expect(project.holdfast(['exec', '--write', '/var/tmp', 'build', '--', 'true'])).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('HF_SESSION_DIFFERS'),
  });
});

test('a second server reports the running one', () => {
  const { project } = started();
  for (const words of [['serve'], ['serve', '--detach']])
    expect(project.holdfast(words)).toMatchObject({ status: 125, stderr: expect.stringContaining('HF_SERVE_RUNNING') });
});

test('an error without a server names the way to start one', () => {
  using project = new Project();
  for (const words of [
    ['ps'],
    ['exec', 'build', '--', 'true'],
    ['attach', 'c1'],
    ['logs', 'c1'],
    ['stop', 'c1'],
    ['stop', '--server'],
  ]) {
    expect(project.holdfast(words)).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('holdfast serve --detach'),
    });
  }
});

test('a detached command is listed, read, and stopped', async () => {
  const { project, ps } = started();
  const { stdout } = project.holdfast(['exec', '--detach', 'build', '--', 'sh', '-c', 'echo begun; exec sleep 4914']);
  const id = stdout.trim();
  expect(id).toMatch(/^c\d+$/u);
  expect(ps().commands).toMatchObject([{ id, state: 'running' }]);
  expect(project.holdfast(['ps']).stdout).toMatch(new RegExp(String.raw`^${id} +build +running +sh -c `, 'mu'));
  await expect.poll(() => project.holdfast(['logs', id]).stdout).toBe('begun\n');
  expect(project.holdfast(['stop', id])).toMatchObject({ status: 0, stderr: '' });
  expect(ps().commands).toMatchObject([{ id, state: 'ended', exitCode: 143 }]);
  expect(project.holdfast(['logs', '-f', id])).toMatchObject({ status: 0, stdout: 'begun\n' });
  expect(JSON.parse(project.holdfast(['stop', 'build', '--json']).stdout)).toEqual({ stopped: 'build' });
  expect(ps()).toMatchObject({ sessions: [], commands: [] });
});

test('logs reports the amount of dropped output', async () => {
  const { project, ps } = started();
  const id = project
    .holdfast(['exec', '--detach', 'build', '--', 'sh', '-c', 'head -c 3000000 /dev/zero'])
    .stdout.trim();
  await expect.poll(() => ps().commands).toMatchObject([{ state: 'ended' }]);
  const { stdout, stderr } = project.holdfast(['logs', id]);
  expect(stderr).toBe(`holdfast: ${3_000_000 - stdout.length} bytes before this are not kept any more\n`);
});

test('unwritable output is a failure, and never a silent success', async () => {
  const { project, ps } = started();
  const id = project.holdfast(['exec', '--detach', 'build', '--', 'echo', 'kept']).stdout.trim();
  await expect.poll(() => ps().commands).toMatchObject([{ state: 'ended' }]);
  for (const words of [
    ['logs', id],
    ['exec', 'build', '--', 'echo', 'lost'],
  ]) {
    const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$@" > /dev/full', binary, ...words], {
      cwd: project.workspace,
      env: project.environment,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stderr }).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('its output cannot be written (ENOSPC)'),
    });
  }
});

test('a name beside --server does not mean the whole server', () => {
  const { project, ps } = started();
  for (const more of [['build'], ['--signal', 'INT'], ['--grace', '1']])
    expect(project.holdfast(['stop', '--server', ...more])).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('HF_USAGE'),
    });
  expect(ps().server.process).toBeGreaterThan(0);
});

test('a signal to a session reaches each of its commands, and the session stays', async () => {
  const { project, ps } = started();
  const script = "trap 'exit 9' INT; echo ready; while :; do sleep 0.05; done";
  const ids = [1, 2].map(() => project.holdfast(['exec', '--detach', 'build', '--', 'sh', '-c', script]).stdout.trim());
  for (const id of ids) await expect.poll(() => project.holdfast(['logs', id]).stdout).toBe('ready\n');
  expect(JSON.parse(project.holdfast(['stop', '--signal', 'INT', 'build', '--json']).stdout)).toEqual({
    signalled: 'build',
  });
  await expect
    .poll(() => ps().commands.map(({ state, exitCode }) => [state, exitCode]))
    .toEqual([
      ['ended', 9],
      ['ended', 9],
    ]);
  expect(ps().sessions).toMatchObject([{ name: 'build' }]);
  expect(project.holdfast(['stop', '--signal', 'KILL', '--grace', '1', 'build'])).toMatchObject({ status: 0 });
  expect(ps().sessions).toEqual([]);
});

test('a signal to this process reaches the command, and its death ends it', async () => {
  const { project, ps } = started();
  const begin = async (script: string) => {
    const child = project.start(['exec', 'build', '--', 'sh', '-c', script]);
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
    await expect.poll(() => seen).toBe('ready\n');
    return { child, ended, seen: () => seen };
  };
  const asked = await begin("trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.05; done");
  asked.child.kill('SIGINT');
  expect(await asked.ended).toBe(9);
  await expect.poll(asked.seen).toBe('ready\ncaught\n');
  const killed = await begin('echo ready; exec sleep 4914');
  const [{ pid } = {}] = ps().commands;
  expect(isThere(pid)).toBe(true);
  killed.child.kill('SIGKILL');
  await expect.poll(() => isThere(pid)).toBe(false);
  expect(ps().commands).toEqual([]);
});

test('boxes of a killed server end, and the next one takes its place', async () => {
  const { project, ps, socket } = started();
  expect(JSON.parse(project.holdfast(['exec', '--detach', '--json', 'build', '--', 'sleep', '4914']).stdout)).toEqual({
    id: expect.any(String),
  });
  await expect.poll(() => isThere(ps().commands[0]?.pid)).toBe(true);
  const { server, commands } = ps();
  process.kill(server.process, 'SIGKILL');
  await expect.poll(() => isThere(commands[0]?.pid)).toBe(false);
  expect(lstatSync(socket).isSocket()).toBe(true);
  await expect
    .poll(() => project.holdfast(['ps']))
    .toMatchObject({ status: 125, stderr: expect.stringContaining('HF_SERVE_ABSENT') });
  const { pid } = JSON.parse(project.holdfast(['serve', '--detach', '--json']).stdout) as { readonly pid: number };
  expect(pid).not.toBe(server.process);
  expect(ps().server.process).toBe(pid);
  expect(project.holdfast(['exec', 'build', '--', 'echo', 'again'])).toMatchObject({ status: 0, stdout: 'again\n' });
});

const hasScript = has('script');
if (!hasScript)
  console.warn('SKIPPED: the server at a terminal, because script is not installed (Debian: apt-get install bsdutils)');

test.skipIf(!hasScript)(
  'a command at a terminal is left with two keys, continues, and is attached to again',
  async () => {
    const { project } = started();
    const terminal = (words: string) => {
      const child = spawn('script', ['-qec', `${binary} ${words}`, '/dev/null'], {
        cwd: project.workspace,
        env: { ...project.environment, SHELL: '/bin/sh' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      let seen = '';
      child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
      return {
        ended: new Promise((resolve) => void child.once('exit', resolve)),
        type: (text: string) => void child.stdin.write(text),
        shows: (pattern: RegExp) => expect.poll(() => seen).toMatch(pattern),
      };
    };
    const first = terminal(
      "exec build -- sh -c 'stty -echo; echo ready; while read line; do echo got $line; [ $line != end ] || exit 4; done'",
    );
    await first.shows(/ready\r\n/u);
    first.type('one\r');
    await first.shows(/got one\r\n/u);
    first.type('\x1c\x1c');
    await first.shows(/c1 goes on/u);
    expect(await first.ended).toBe(0);
    const second = terminal('attach c1');
    await second.shows(/ready\r\ngot one\r\n/u);
    second.type('end\r');
    await second.shows(/got end\r\n/u);
    expect(await second.ended).toBe(4);
  },
);
