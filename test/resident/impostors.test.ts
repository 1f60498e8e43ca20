import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { residentName } from '../../src/serve/resident/resident-name.ts';
import { program } from '../lib/hooked.ts';
import { repository } from '../lib/holdfast.ts';
import { isCommand, ResidentProject } from '../lib/resident.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  console.warn('SKIPPED: what another user can do in the place of a supervisor, because only root can become one');
const other = 65_534;
const name = residentName('front', {
  node: program[0],
  script: program[1],
  launcher: join(repository, 'native/build/holdfast-launch'),
});

function projectOf(): ResidentProject {
  const project = new ResidentProject();
  onTestFinished(() => project[Symbol.dispose]());
  mkdirSync(project.runtime, { recursive: true, mode: 0o700 });
  return project;
}

/** This user's own listener at the place where the front looks for a supervisor. No other user can listen there. */
async function impostor(project: ResidentProject, serve: (socket: Socket) => void): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    serve(socket);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(join(project.runtime, name), resolve));
}

/** A run's result, and the number of its Node processes. */
async function result(
  project: ResidentProject,
  words: readonly string[] = ['sh', '-c', 'echo out; echo err >&2; exit 7'],
): Promise<object> {
  const before = project.starts.filter(isCommand).length;
  const run = project.begin(['run', '--', ...words]);
  const end = await run.ended;
  return { ...end, stdout: run.stdout, stderr: run.stderr, nodes: project.starts.filter(isCommand).length - before };
}

const cold = { status: 7, signal: null, stdout: 'out\n', stderr: 'err\n', nodes: 1 };

function head(kind: string, length: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.write(kind, 'latin1');
  bytes.writeUInt32LE(length, 1);
  return bytes;
}

/** Greets each client, and answers its first message. */
const onQuestion =
  (answer: (socket: Socket) => void) =>
  (socket: Socket): void => {
    socket.write('a');
    socket.once('data', () => answer(socket));
  };

describe('a front without a box leaves the work to Node', () => {
  const rows: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['nothing', () => undefined],
    ['the end', (socket) => socket.destroy()],
    ['another greeting', (socket) => socket.write('b')],
    ['rubbish from the start', (socket) => socket.write(Buffer.alloc(100_000, 0xff))],
    ['rubbish after its question', onQuestion((socket) => socket.write(Buffer.alloc(100_000, 0xfe)))],
    ['the end after its question', onQuestion((socket) => socket.end())],
    ['half a head', onQuestion((socket) => socket.end('s\x05'))],
    ['a kind that there is not', onQuestion((socket) => socket.write(head('z', 0)))],
    [
      'a refusal that ends early',
      onQuestion((socket) => socket.end(Buffer.concat([head('s', 100), Buffer.from('\x01oh')]))),
    ],
    ['a refusal without a status', onQuestion((socket) => socket.write(head('s', 0)))],
    ['a refusal of four gigabytes', onQuestion((socket) => socket.write(head('s', 0xffffffff)))],
    [
      'a box with a text that ends early',
      onQuestion((socket) => socket.end(Buffer.concat([head('b', 50), Buffer.from('oh')]))),
    ],
    ['that it should do without', onQuestion((socket) => socket.end(head('c', 0)))],
    [
      'that it should do without, with more',
      onQuestion((socket) => socket.end(Buffer.concat([head('c', 5), Buffer.from('12345')]))),
    ],
    ['half an answer, and then nothing', onQuestion((socket) => socket.write('b\0'))],
  ];

  test.each(rows)('%s', async (_, serve) => {
    const project = projectOf();
    await impostor(project, serve);
    expect(await result(project)).toEqual(cold);
  });
});

describe('a front that loses its promised box reports that and runs nothing', () => {
  const rows: readonly (readonly [string, Buffer | 'end'])[] = [
    ['rubbish', Buffer.alloc(100_000, 0xab)],
    ['zeros', Buffer.alloc(100_000)],
    ['the head of another version', Buffer.concat([Buffer.from('HFP0'), Buffer.alloc(10_000)])],
    ['the end', 'end'],
  ];
  test.each(rows)('%s', async (_, plan) => {
    const project = projectOf();
    await impostor(
      project,
      onQuestion((socket) => {
        socket.write(head('b', 0));
        if (plan === 'end') socket.end();
        else socket.end(plan);
      }),
    );
    const { stdout, ...told } = (await result(project, ['touch', 'began'])) as {
      readonly stdout: string;
      readonly stderr: string;
      readonly status: number;
      readonly nodes: number;
    };
    expect(told).toMatchObject({ status: 125, nodes: 0, stderr: expect.stringMatching(/^(holdfast: .+\n)+$/u) });
    expect({ stdout, began: existsSync(join(project.workspace, 'began')) }).toEqual({ stdout: '', began: false });
  });

  test('a wait for a missing box can be ended', async () => {
    const project = projectOf();
    let told = 0;
    await impostor(
      project,
      onQuestion((socket) => socket.write(head('b', 0), () => (told += 1))),
    );
    const run = project.begin(['run', '--', 'touch', 'began']);
    await expect.poll(() => told).toBe(1);
    await expect.poll(() => run.program).toBe('holdfast-launch');
    run.process.kill('SIGTERM');
    const { status, signal } = await run.ended;
    expect(signal === 'SIGTERM' || status === 143 || status === 125, `${status} ${signal}`).toBe(true);
  });
});

test('the box of another command runs unchanged: only this user’s own process outside boxes can send it', async () => {
  const project = projectOf();
  const pid = project.serve();
  const real = join(project.runtime, name);
  renameSync(real, `${real}.real`);
  let answer = Buffer.alloc(0);
  await impostor(project, (front) => {
    const there = createConnection(`${real}.real`).on('error', () => undefined);
    there.on('data', (chunk: Buffer) => (answer = Buffer.concat([answer, chunk])));
    there.pipe(front);
    front
      .on('data', (chunk: Buffer) => there.write(chunk.toString('latin1').replace('asked', 'other'), 'latin1'))
      .once('end', () => there.end());
  });
  expect(await result(project, ['echo', 'asked'])).toMatchObject({ stdout: 'other\n', nodes: 0 });
  // The box of an ended session no longer counts as one.
  process.kill(pid, 'SIGKILL');
  rmSync(real);
  await impostor(
    project,
    onQuestion((socket) => socket.write(answer.subarray(1))),
  );
  const replayed = project.begin(['run', '--', 'echo', 'asked']);
  // It waits for a session that no longer exists, or notices that and ends: both are right.
  const killer = setTimeout(() => replayed.process.kill('SIGTERM'), 500);
  await replayed.ended;
  clearTimeout(killer);
  expect(replayed.stdout).toBe('');
  expect(project.starts.filter(isCommand)).toEqual([]);
});

test('a stopped supervisor costs some milliseconds', async () => {
  const project = projectOf();
  const pid = project.serve();
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  await expect.poll(() => /^State:\s+T/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'))).toBe(true);
  expect(await result(project)).toEqual(cold);
});

describe('a directory that does not belong to this user alone is not searched', () => {
  const listen = (project: ResidentProject, heard: { asked: number }): Promise<void> =>
    impostor(project, (socket) => {
      heard.asked += 1;
      socket.write('a');
    });

  test.each(['mode 0755', 'mode 0777', 'a link', 'another owner'])('%s', async (what) => {
    const project = projectOf();
    const heard = { asked: 0 };
    await listen(project, heard);
    if (what.startsWith('mode')) chmodSync(project.runtime, parseInt(what.slice(5), 8));
    else if (what === 'a link') {
      renameSync(project.runtime, `${project.runtime}.real`);
      symlinkSync(`${project.runtime}.real`, project.runtime);
    } else if (isRoot) chownSync(project.runtime, other, other);
    else return;
    const { nodes } = (await result(project)) as { readonly nodes: number };
    expect({ nodes, ...heard }).toEqual({ nodes: 1, asked: 0 });
  });

  test.skipIf(!isRoot)('another user’s socket in it gets nothing', async () => {
    const project = projectOf();
    for (const path of [
      project.root,
      project.home,
      join(project.home, '.local'),
      join(project.home, '.local/state'),
      project.state,
    ])
      chmodSync(path, 0o755);
    chmodSync(project.runtime, 0o777);
    const listener = spawn(
      'perl',
      [
        '-MIO::Socket::UNIX',
        '-e',
        '$SIG{PIPE} = "IGNORE"; my $l = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die $!; $| = 1; print "listens\n"; my $c = $l->accept; syswrite $c, "a"; my $t; my $n = sysread $c, $t, 100; print "heard ", $n // "nothing", "\n"',
        join(project.runtime, name),
      ],
      { uid: other, gid: other, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let heard = '';
    listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    await expect.poll(() => heard).toBe('listens\n');
    chmodSync(project.runtime, 0o700);
    expect(await result(project)).toEqual(cold);
    await expect.poll(() => heard).toMatch(/^listens\nheard (?:0|nothing)\n$/u);
  });
});
