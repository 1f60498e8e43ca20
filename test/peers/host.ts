import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../lib/holdfast.ts';

/** The machine around the boxes, with sockets of each kind that answer. */
export interface HostOfPeers {
  readonly port: number;
  readonly second: number;
  readonly pid: number;
  /** Holds its Unix sockets. */
  readonly directory: string;
  end(): void;
}

export async function startHostOfPeers(): Promise<HostOfPeers> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  const child: ChildProcess = spawn('python3', [join(repository, 'test/fixtures/peers/host-of-peers.py'), directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout as Readable }), 'line')) as [string];
  const [port = 0, second = 0] = line.split(' ').map(Number);
  const end = () => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  return { port, second, pid: child.pid ?? 0, directory, end };
}
