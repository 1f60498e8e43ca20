import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectServer } from '../../src/serve/client/connect-server.ts';
import { startServer } from '../../src/serve/server/start-server.ts';
import { Project } from '../lib/holdfast.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: what another user can do to a server, because only root can become one');
const other = 65_534;

function place(): { readonly runtime: string; readonly project: Project } {
  const project = new Project();
  onTestFinished(() => project[Symbol.dispose]());
  return { project, runtime: join(project.root, 'run/holdfast') };
}

/** Sends hello and more as another user, and returns the answer. */
async function tell(path: string, words: string): Promise<string> {
  const script = `$SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "none: $!"; ${words} local $/; my $t = <$s>; print defined $t && length $t ? "told: $t" : "told nothing"`;
  const peer = spawn('perl', ['-MIO::Socket::UNIX', '-MSocket', '-e', script, path], {
    uid: other,
    gid: other,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [peer.stdout, peer.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  await once(peer, 'close');
  return said;
}

/** A server without Holdfast's checks at such a socket: it greets every client. */
async function naiveServer(path: string): Promise<void> {
  const server = createServer((socket) =>
    socket.on('error', () => socket.destroy()).end('hello, no matter who you are'),
  );
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

/** As wide as an administrator's mistake can make it. */
function open(path: string): void {
  for (let directory = dirname(path); directory !== '/tmp' && directory !== '/'; directory = dirname(directory))
    chmodSync(directory, 0o755);
  chmodSync(path, 0o666);
}

describe.skipIf(!isRoot)('another user', () => {
  const hello = 'print $s pack("NCN", 28, 0, 0) . q({"kind":"hello","version":1});';
  const lies = 'send($s, "x", 0); print $s pack("NCN", 44, 0, 0) . q({"kind":"hello","version":1,"uid":0,"pid":1});';

  test.each([
    { what: 'that comes to the socket', words: hello },
    { what: 'that gives a false identity', words: lies },
  ])('$what gets nothing, but a server without the check answers', async ({ words }) => {
    const { project, runtime } = place();
    const server = await startServer({ runtime });
    onTestFinished(() => server.end());
    open(server.socket);
    expect(await tell(server.socket, words)).toBe('told nothing');
    const control = join(project.root, 'control');
    await naiveServer(control);
    open(control);
    expect(await tell(control, words)).toBe('told: hello, no matter who you are');
  });

  test.each(['run/holdfast', 'run/holdfast/serve.sock'])('that owns %s is not trusted', async (owned) => {
    const { project, runtime } = place();
    mkdirSync(runtime, { recursive: true, mode: 0o700 });
    const path = join(project.root, owned);
    if (owned.endsWith('.sock')) {
      // It listens there, as it could in a world-writable directory, and waits for commands and variables.
      open(runtime);
      chmodSync(runtime, 0o777);
      const listener = spawn(
        'perl',
        [
          '-MIO::Socket::UNIX',
          '-e',
          'my $l = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die $!; $| = 1; print "listens\n"; my $c = $l->accept; print "heard: ", <$c> // "nothing"',
          path,
        ],
        { uid: other, gid: other, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let heard = '';
      listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      await expect.poll(() => heard).toBe('listens\n');
      await expect(connectServer({ runtime })).rejects.toMatchObject({ code: 'HF_SERVE_ABSENT' });
      await once(listener, 'close');
      expect(heard).toBe('listens\nheard: nothing');
    } else chownSync(path, other, other);
    await expect(startServer({ runtime })).rejects.toMatchObject({ code: 'HF_STATE_UNWRITABLE' });
  });
});

describe('files in the directory before the server starts', () => {
  test('a link at the socket is replaced, and its target stays unchanged', async () => {
    const { project, runtime } = place();
    mkdirSync(runtime, { recursive: true, mode: 0o755 });
    const target = join(project.root, 'target');
    writeFileSync(target, 'mine');
    symlinkSync(target, join(runtime, 'serve.sock'));
    const server = await startServer({ runtime });
    onTestFinished(() => server.end());
    expect(lstatSync(server.socket).isSocket()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect([statSync(runtime).mode & 0o777, statSync(server.socket).mode & 0o777]).toEqual([0o700, 0o600]);
    (await connectServer({ runtime })).close();
  });

  test.each(['a link at the lock', 'a link at the directory'])(
    '%s is refused, and nothing is made at its target',
    async (what) => {
      const { project, runtime } = place();
      const elsewhere = join(project.root, 'elsewhere');
      mkdirSync(dirname(runtime), { recursive: true });
      if (what.endsWith('lock')) {
        mkdirSync(runtime, { mode: 0o700 });
        symlinkSync(elsewhere, join(runtime, 'serve.lock'));
      } else {
        mkdirSync(elsewhere);
        symlinkSync(elsewhere, runtime);
      }
      await expect(startServer({ runtime })).rejects.toMatchObject({ code: 'HF_STATE_UNWRITABLE' });
      expect(what.endsWith('lock') ? existsSync(elsewhere) : existsSync(join(elsewhere, 'serve.sock'))).toBe(false);
      expect(readlinkSync(what.endsWith('lock') ? join(runtime, 'serve.lock') : runtime)).toBe(elsewhere);
    },
  );

  test('a listening socket is not trusted while no process holds the lock', async () => {
    const { runtime } = place();
    mkdirSync(runtime, { recursive: true, mode: 0o700 });
    await naiveServer(join(runtime, 'serve.sock'));
    await expect(connectServer({ runtime })).rejects.toMatchObject({ code: 'HF_SERVE_PROTOCOL' });
    const server = await startServer({ runtime });
    onTestFinished(() => server.end());
    (await connectServer({ runtime })).close();
    await expect(startServer({ runtime })).rejects.toMatchObject({ code: 'HF_SERVE_RUNNING' });
  });

  test('a directory that others may write to is refused', async () => {
    const { runtime } = place();
    mkdirSync(runtime, { recursive: true });
    chmodSync(runtime, 0o777);
    await expect(startServer({ runtime })).rejects.toMatchObject({ code: 'HF_STATE_UNWRITABLE' });
    rmSync(runtime, { recursive: true });
  });
});
