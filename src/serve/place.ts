import { chmodSync, closeSync, constants, openSync, renameSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { makePrivateDirectory, withAddress } from '../approvals/socket/socket-place.ts';
import { HoldfastError } from '../errors/index.ts';
import { isKernelError, kernelCall } from '../kernel/index.ts';

/** Name of the socket in the directory `runtime` of `StatePaths`. */
export const socketName = 'serve.sock';
const lockName = 'serve.lock';

/** Names in the runtime directory. */
export interface PlaceNames {
  readonly socket: string;
  readonly lock: string;
}

const serverNames: PlaceNames = { socket: socketName, lock: lockName };

/** The right to be this user's server. It ends with the process, however the process ends. */
export interface Claim {
  release(): void;
}

/**
 * Makes the directory and claims the place. Throws `HF_SERVE_RUNNING` while another process has the claim, and
 * `HF_STATE_UNWRITABLE` if the directory cannot be trusted.
 */
export function claimPlace(runtime: string, { lock: name } = serverNames): Claim {
  makePrivateDirectory(runtime);
  const lock = openLock(join(runtime, name));
  try {
    kernelCall('flock', lock, exclusively);
  } catch (error) {
    closeSync(lock);
    if (!isKernelError(error, 'EAGAIN')) throw error;
    throw new HoldfastError('HF_SERVE_RUNNING', 'your server is already running', {
      remedy: 'use that one, or stop it with `holdfast stop --server`',
    });
  }
  return { release: () => closeSync(lock) };
}

/** `sys/file.h`: exclusive, without waiting. */
const exclusively = 2 | 4;

/** Attack: a link in its place, which would open or create another file. */
function openLock(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new HoldfastError(
      'HF_STATE_UNWRITABLE',
      `${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
      { remedy: 'find out who created it, then remove it', cause: error },
    );
  }
}

/**
 * Listens at the socket. The caller must hold the claim. The socket gets its final name once it listens. A socket of a
 * killed server, or a link, is replaced and not followed.
 */
export async function listenAt(server: Server, runtime: string, name = socketName): Promise<void> {
  const early = `.${name}.${process.pid}`;
  await withAddress(
    runtime,
    early,
    (path) => new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve)),
  );
  chmodSync(join(runtime, early), 0o600);
  renameSync(join(runtime, early), join(runtime, name));
}
