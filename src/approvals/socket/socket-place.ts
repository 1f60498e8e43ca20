import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { kernelCall, rawKernel } from '../../kernel/index.ts';

/** Returns the directory of the sessions' sockets. `runtime` is as in `StatePaths`. */
export function socketDirectory(runtime: string): string {
  return join(runtime, 'approvals');
}

/** Makes the directory of approvals as `makePrivateDirectory` does. Anyone who can open it can answer. */
export function makeSocketDirectory(runtime: string): string {
  return makePrivateDirectory(runtime, socketDirectory(runtime));
}

/**
 * Makes a directory for sockets, `runtime` or one in it, readable by its owner alone. Throws `HF_STATE_UNWRITABLE` if
 * someone else made it, or could exchange it.
 */
export function makePrivateDirectory(runtime: string, directory = runtime): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    refuseForeign(runtime, 0o022);
    refuseForeign(directory, 0);
    // Only the umask changes the mode above, but an older directory may be wider.
    chmodSync(directory, 0o700);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw unusable(directory, error instanceof Error ? error.message : String(error), error);
  }
  return directory;
}

/** Attack: someone else makes the directory first, or replaces it, and then reads questions or answers them. */
function refuseForeign(path: string, forbidden: number): void {
  const { uid, mode } = lstatSync(path);
  if ((mode & constants.S_IFMT) !== constants.S_IFDIR) throw unusable(path, 'it is not a directory');
  if (uid !== process.getuid?.()) throw unusable(path, 'it belongs to another user');
  if ((mode & forbidden) !== 0) throw unusable(path, 'others may write to it');
}

function unusable(path: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_STATE_UNWRITABLE', `your sockets cannot be in ${path}: ${why}`, {
    remedy: 'make it a directory of your own with mode 0700, or set XDG_RUNTIME_DIR to one',
    cause,
  });
}

/** Bytes of a path in a socket address (unix(7)). */
const longestAddress = 107;

/**
 * Calls `use` with a path of the socket that is short enough for an address. If the real path is too long, the short
 * one leads through a descriptor of the directory.
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

/**
 * Returns whether the peer is a process of this user outside of all boxes. A box has its own process namespace. The
 * directory's mode ensures the same. This check also holds if a box sees the directory, puts its own socket there, or
 * received a descriptor. If in doubt, the answer is no.
 */
export function isOwnPeer(socket: Socket): boolean {
  return ownPeer(socket) !== undefined;
}

/** Returns the peer's PID. Undefined if it is not this user's process, or is in a box. */
export function ownPeer(socket: Socket): number | undefined {
  try {
    // Node offers no other way to the descriptor. Without it, no peer is admitted.
    const { fd } = (socket as unknown as { readonly _handle: { readonly fd: number } })._handle;
    const { pid, uid } = credentialsOf(fd);
    return uid === process.getuid?.() && readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync('/proc/self/ns/pid')
      ? pid
      : undefined;
  } catch {
    return undefined;
  }
}

/** Loads the parts that `isOwnPeer` needs. Without them no peer is trusted, so a failure is noticed there. */
export function prepareToKnowPeers(): void {
  try {
    rawKernel();
  } catch {
    // `isOwnPeer` reports the failure.
  }
}

const [solSocket, soPeercred] = [1, 17];

/** `struct ucred` of unix(7), as of the peer's connect or listen. */
function credentialsOf(descriptor: number): { readonly pid: number; readonly uid: number } {
  const credentials = Buffer.alloc(12);
  const length = Buffer.alloc(4);
  length.writeInt32LE(credentials.length);
  kernelCall('getsockopt', descriptor, solSocket, soPeercred, credentials, length);
  return { pid: credentials.readInt32LE(0), uid: credentials.readUInt32LE(4) };
}
