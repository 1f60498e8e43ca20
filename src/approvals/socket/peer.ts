import { readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import process from 'node:process';
import { kernelCall, rawKernel } from '../../kernel/index.ts';

/**
 * Whether the process at the other end is this user's, and in no box: boxes have process namespaces of their own. The
 * directory's mode says the same; this holds too where a box came to see the directory, put a socket of its own there,
 * or was lent a descriptor of one. What cannot be found out is a no.
 */
export function isOwnPeer(socket: Socket): boolean {
  return ownPeer(socket) !== undefined;
}

/** The number of that process, or undefined where it is not this user's, or in a box. */
export function ownPeer(socket: Socket): number | undefined {
  try {
    // The only way to the number that Node has; absent, nobody is let in.
    const { fd } = (socket as unknown as { readonly _handle: { readonly fd: number } })._handle;
    const { pid, uid } = credentialsOf(fd);
    return uid === process.getuid?.() && readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync('/proc/self/ns/pid')
      ? pid
      : undefined;
  } catch {
    return undefined;
  }
}

/** Loads what `isOwnPeer` needs; without it there is no peer of one's own, so a failure is told there. */
export function prepareToKnowPeers(): void {
  try {
    rawKernel();
  } catch {
    // As above.
  }
}

const [solSocket, soPeercred] = [1, 17];

/** `struct ucred` of unix(7): as they were when the peer connected, or began to listen. */
function credentialsOf(descriptor: number): { readonly pid: number; readonly uid: number } {
  const credentials = Buffer.alloc(12);
  const length = Buffer.alloc(4);
  length.writeInt32LE(credentials.length);
  kernelCall('getsockopt', descriptor, solSocket, soPeercred, credentials, length);
  return { pid: credentials.readInt32LE(0), uid: credentials.readUInt32LE(4) };
}
