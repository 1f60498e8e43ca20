import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodeWireFrame } from '../../src/serve/wire/frame.ts';
import { claudeCall, HookedProject, hookProgram, program } from '../lib/hooked.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: a listener and a directory of another user, because only root can start one');
const canUnshare = spawnSync('unshare', ['-Urpfm', 'true']).status === 0;
if (!canUnshare) console.warn('SKIPPED: listeners in other namespaces, because none can be made here');

describe('listeners at the hook’s socket', () => {
  const yes = [
    { type: 'message', channel: 1, payload: Buffer.from('{"kind":"result","result":{"status":0}}') },
  ] as const;

  /** A project whose Node only reports its start, at a socket that answers with `answer`. */
  async function place(answer: (socket: Socket) => void) {
    const project = new HookedProject();
    const script = join(project.root, 'alone.cjs');
    writeFileSync(script, 'process.exitCode = 2');
    mkdirSync(project.runtime, { recursive: true, mode: 0o700 });
    const server = createServer((socket) => answer(socket.on('error', () => undefined)));
    onTestFinished(() => {
      server.close();
      rmSync(join(project.runtime, 'serve.sock'), { force: true });
      project[Symbol.dispose]();
    });
    const ask = (environment: NodeJS.ProcessEnv = {}): Promise<number | null> => asked(project, script, environment);
    return {
      project,
      server,
      ask,
      listen: (directory = project.runtime) =>
        new Promise<void>((resolve) => server.listen(join(directory, 'serve.sock'), resolve)),
    };
  }

  /** Not `hook`, which would block this process's own server. */
  async function asked(project: HookedProject, script: string, environment: NodeJS.ProcessEnv): Promise<number | null> {
    const child = spawn(hookProgram, [program[0], script, 'hook', 'claude'], {
      cwd: project.workspace,
      env: { ...project.environment, ...environment },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(JSON.stringify(claudeCall(project.workspace, 'Bash', { command: 'rm -rf ~' })));
    const [status] = (await once(child, 'close')) as [number | null];
    return status;
  }

  const says = (frames: readonly Parameters<typeof encodeWireFrame>[0][]) => (socket: Socket) =>
    void frames.map((frame) => socket.write(encodeWireFrame(frame)));

  test('count only in a directory of this user alone', async () => {
    const { project, ask, listen } = await place(says(yes));
    await listen();
    expect(await ask()).toBe(0);
    for (const mode of [0o770, 0o740, 0o720, 0o710, 0o704, 0o702, 0o701]) {
      chmodSync(project.runtime, mode);
      expect(await ask(), mode.toString(8)).toBe(2);
    }
    chmodSync(project.runtime, 0o700);
    expect(await ask()).toBe(0);
    if (isRoot) {
      chownSync(project.runtime, 65_534, 65_534);
      expect(await ask()).toBe(2);
      chownSync(project.runtime, 0, 0);
    }
    renameSync(project.runtime, join(project.root, 'moved'));
    symlinkSync(join(project.root, 'moved'), project.runtime);
    expect(await ask()).toBe(2);
  });

  // Attack: a relative path leads to a directory of the project, where an agent may have put a socket.
  test.each([
    { where: 'run/holdfast', environment: { XDG_RUNTIME_DIR: 'ABSOLUTE/run' }, status: 0 },
    { where: 'run/holdfast', environment: { XDG_RUNTIME_DIR: 'run' }, status: 2 },
    { where: 'run/holdfast', environment: { XDG_RUNTIME_DIR: '' }, status: 2 },
    { where: 'state/holdfast/run', environment: { XDG_STATE_HOME: 'ABSOLUTE/state' }, status: 0 },
    { where: 'state/holdfast/run', environment: { XDG_STATE_HOME: 'state' }, status: 2 },
    {
      where: 'state/holdfast/run',
      environment: { XDG_STATE_HOME: 'ABSOLUTE/state', XDG_RUNTIME_DIR: 'ABSOLUTE/run' },
      status: 2,
    },
    { where: 'at/.local/state/holdfast/run', environment: { HOME: 'ABSOLUTE/at' }, status: 0 },
    { where: 'at/.local/state/holdfast/run', environment: { HOME: 'at' }, status: 2 },
  ])(
    'are searched in the server’s place for $environment, and not in $where otherwise',
    async ({ where, environment, status }) => {
      const { project, ask, listen } = await place(says(yes));
      mkdirSync(join(project.workspace, where), { recursive: true, mode: 0o700 });
      await listen(join(project.workspace, where));
      expect(
        await ask(
          Object.fromEntries(
            Object.entries(environment).map(([name, value]) => [name, value.replace('ABSOLUTE', project.workspace)]),
          ),
        ),
      ).toBe(status);
    },
  );

  const message = (text: string) => [{ type: 'message', channel: 1, payload: Buffer.from(text) }] as const;
  test.each<readonly [string, (socket: Socket) => void]>([
    ['a status that would let the tool run', says(message('{"kind":"result","result":{"status":1}}'))],
    ['an error', says(message('{"kind":"error","error":{"code":"HF_INTERNAL","message":"","remedy":""}}'))],
    ['an answer to another request', says([{ ...yes[0], channel: 2 }])],
    ['a result that goes on', says(message('{"kind":"result","result":{"status":0}} '))],
    [
      'more output than a hook takes',
      says([
        ...Array.from({ length: 5 }, () => ({ type: 'stdout', channel: 1, payload: Buffer.alloc(64 * 1024) }) as const),
        ...yes,
      ]),
    ],
    ['a result that is cut', says(message('{"kind":"result","result":{"status":0}'))],
    ['a note in front of it', says([...message('{"kind":"note"}'), ...yes])],
    ['the answer of the connection', says([{ ...yes[0], channel: 0 }])],
    ['output of another request', says([{ type: 'stdout', channel: 2, payload: Buffer.from('x') }, ...yes])],
    ['errors of another request', says([{ type: 'stderr', channel: 0, payload: Buffer.from('x') }, ...yes])],
    [
      'a frame of no type in front of it',
      (socket) => (socket.write(Buffer.from([0, 0, 0, 0, 6, 0, 0, 0, 1])), says(yes)(socket)),
    ],
    [
      'a length beyond all',
      (socket) => (socket.write(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0, 1])), says(yes)(socket)),
    ],
    [
      'a word longer than any',
      (socket) => (
        socket.write(Buffer.concat([Buffer.from([0, 4, 0, 0, 0, 0, 0, 0, 0]), Buffer.alloc(0x40000)])),
        says(yes)(socket)
      ),
    ],
    ['nothing, and leaves', (socket) => void socket.end()],
    ['half a frame, and waits', (socket) => void socket.write(Buffer.from([0, 0, 0]))],
    ['a frame of no type', (socket) => void socket.write(Buffer.from([0, 0, 0, 0, 9, 0, 0, 0, 1]))],
  ])('that send %s leave the decision to Node', async (_what, answer) => {
    const { ask, listen } = await place((socket) => {
      answer(socket);
      socket.resume().on('end', () => socket.end());
    });
    await listen();
    expect(await ask()).toBe(2);
  });

  const listener = `$SIG{PIPE} = 'IGNORE'; use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un($ARGV[0])); if ($ARGV[1]) { $< = $> = $ARGV[1] } listen($s, 5); print "ready\\n"; close STDOUT; while (accept(my $c, $s)) { syswrite($c, pack("NCN", 39, 0, 1) . q({"kind":"result","result":{"status":0}})); sysread($c, my $x, 1) while !$x; close $c }`;
  const cases: readonly {
    readonly what: string;
    readonly words: readonly string[];
    readonly uid: string;
    readonly status: number;
    readonly can: boolean;
  }[] = [
    { what: 'this user', words: [], uid: '0', status: 0, can: true },
    { what: 'another user', words: [], uid: '65534', status: 2, can: isRoot },
    {
      what: 'a process of other namespaces, as a box is',
      words: ['unshare', '-Urpf'],
      uid: '0',
      status: 2,
      can: canUnshare,
    },
  ];
  test.each(cases.filter(({ can }) => can))('as $what: the hook ends with $status', async ({ words, uid, status }) => {
    const { project, ask } = await place(() => undefined);
    const [command = '', ...rest] = [
      ...words,
      'perl',
      '-e',
      `$| = 1; ${listener}`,
      join(project.runtime, 'serve.sock'),
      uid,
    ];
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
    await once(child.stdout, 'data');
    expect(await ask()).toBe(status);
  });
});

test('a server that accepts no one delays no hook', async () => {
  using project = new HookedProject();
  mkdirSync(project.runtime, { recursive: true, mode: 0o700 });
  const full =
    'import socket, sys, time\ns = socket.socket(socket.AF_UNIX)\ns.bind(sys.argv[1])\ns.listen(0)\nkept = []\ntry:\n  while True:\n    c = socket.socket(socket.AF_UNIX)\n    c.setblocking(False)\n    c.connect(sys.argv[1])\n    kept.append(c)\nexcept BlockingIOError:\n  print("full", flush=True)\ntime.sleep(600)\n';
  const child = spawn('python3', ['-c', full, join(project.runtime, 'serve.sock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(project.hook('claude', claudeCall(project.workspace, 'TodoWrite', { todos: [] }))).toMatchObject({
    by: 'node',
    status: 0,
  });
  rmSync(join(project.runtime, 'serve.sock'));
});
