import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { makeSocketDirectory } from './socket-place.ts';
import { runtimeDirectory, served } from './testing/served.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: what another user can do to approvals, because only root can become one');

const other = 65_534;
// A client that is disconnected at once may still be writing.
const client = (path: string): string =>
  `$SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new(Peer => ${JSON.stringify(path)}) or die "none"; print $s "{}"; print scalar <$s> // "closed"`;

describe.skipIf(!isRoot)('another user', () => {
  test.each(['approvals', '.'])('that owns the directory %s is not relied on', (name) => {
    const runtime = runtimeDirectory();
    mkdirSync(join(runtime, 'approvals'), { mode: 0o700 });
    chownSync(join(runtime, name), other, other);
    expect(() => makeSocketDirectory(runtime)).toThrow(/it belongs to another user/u);
  });

  test('at the socket hears nothing', async () => {
    const { runtime } = await served();
    for (const [name, mode] of [
      ['.', 0o711],
      ['approvals', 0o711],
      ['approvals/s', 0o666],
    ] as const)
      chmodSync(join(runtime, name), mode);
    const peer = spawn('perl', ['-MIO::Socket::UNIX', '-e', client(join(runtime, 'approvals/s'))], {
      uid: other,
      gid: other,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [peer.stdout, peer.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(peer, 'close');
    expect(said).toBe('closed');
  });
});
