import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import process from 'node:process';
import { kernelCall } from '../../../kernel/index.ts';
import { probePort } from '../../index.ts';

/*
 * The parts of a proof that run in a container. They judge nothing: the machine of `cluster doctor` reads their
 * results.
 */

/** Sends `nonce` to each client. A mesh that answers for all addresses does not know it. */
export async function listenAsProbe(nonce: string, port = probePort): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(`${nonce}\n`);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve));
  return server;
}

/** Milliseconds for a connection in a cluster. */
const reachPatience = 4000;

/** Returns `reached`, or the reason for a failure. */
export function reachProbe(address: string, nonce: string, port = probePort): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    let text = '';
    const over = (why: string): void => {
      socket.destroy();
      resolve(text === `${nonce}\n` ? 'reached' : why);
    };
    socket.setTimeout(reachPatience, () => over('stopped ETIMEDOUT'));
    socket.on('data', (bytes) => (text.length < 256 ? (text += bytes.toString('latin1')) : over('stopped ENOISE')));
    socket.once('end', () => over('stopped EOTHER'));
    socket.once('error', ({ code = 'EUNKNOWN' }: NodeJS.ErrnoException) => over(`stopped ${code}`));
  });
}

export interface ContainerAttempt {
  readonly attempt: 'root' | 'raw-socket' | 'token' | 'root-file-system';
  readonly result: 'stopped' | 'escaped';
  readonly how: string;
}

const [inet, rawSocket, icmp] = [2, 3, 1];

const attempts: Readonly<Record<ContainerAttempt['attempt'], () => void>> = {
  root: () => process.setuid?.(0),
  'raw-socket': () => closeSync(kernelCall('socket', inet, rawSocket, icmp)),
  token: () => readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/token'),
  'root-file-system': () => {
    const file = `/holdfast-probe-${process.pid}`;
    closeSync(openSync(file, 'wx'));
    rmSync(file);
  },
};

/** Tries to leave a command's container. The last attempt, to become root, changes this process. */
export function tryContainer(): readonly ContainerAttempt[] {
  const order = ['raw-socket', 'token', 'root-file-system', 'root'] as const;
  return order.map((attempt) => {
    try {
      attempts[attempt]();
      return { attempt, result: 'escaped', how: '' };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { attempt, result: 'stopped', how: code ?? (error instanceof Error ? error.message.slice(0, 80) : '') };
    }
  });
}
