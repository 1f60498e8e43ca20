import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';

/** Where the sockets of sessions are. `runtime` as in `StatePaths`. */
function socketDirectory(runtime: string): string {
  return join(runtime, 'approvals');
}

/** Makes the directory of approvals as `makePrivateDirectory` does: who can open it can answer. */
export function makeSocketDirectory(runtime: string): string {
  return makePrivateDirectory(runtime, socketDirectory(runtime));
}

/**
 * Makes a directory for sockets, `runtime` or one in it, readable by its owner alone. Throws `HF_STATE_UNWRITABLE`
 * where somebody else has made it, or could exchange it.
 */
export function makePrivateDirectory(runtime: string, directory = runtime): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    refuseForeign(runtime, 0o022);
    refuseForeign(directory, 0);
    // The mode above is subject to nothing but the umask; an older directory may be wider.
    chmodSync(directory, 0o700);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw unusable(directory, error instanceof Error ? error.message : String(error), error);
  }
  return directory;
}

/**
 * Attack: somebody else made the directory first, or can put another in its place, and listens to what is asked, or
 * answers.
 */
function refuseForeign(path: string, forbidden: number): void {
  const { uid, mode } = lstatSync(path);
  if ((mode & constants.S_IFMT) !== constants.S_IFDIR) throw unusable(path, 'it is no directory');
  if (uid !== process.getuid?.()) throw unusable(path, 'it belongs to another user');
  if ((mode & forbidden) !== 0) throw unusable(path, 'others may write to it');
}

function unusable(path: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_STATE_UNWRITABLE', `no sockets of yours can be in ${path}: ${why}`, {
    remedy: 'make it a directory of your own with mode 0700, or set XDG_RUNTIME_DIR to one',
    cause,
  });
}

/** Bytes of a path that a socket address holds (unix(7)). */
const longestAddress = 107;

/**
 * Calls `use` with a name of the socket that is short enough for an address: where the path is longer, one through a
 * descriptor of the directory.
 */
export async function withAddress<T>(directory: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= longestAddress) return use(path);
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return await use(`/proc/self/fd/${descriptor}/${name}`);
  } finally {
    closeSync(descriptor);
  }
}
