import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  checkDescription,
  type MachineDescription,
  machineError,
  type SnapshotFiles,
  startVmProcess,
  type VirtualMachine,
} from './vm-process.ts';

/** Milliseconds. Firecracker opens its socket in less than ten. */
const startPatience = 10_000;
const channelPatience = 10_000;

/** Returns a machine that `program`, the absolute path of Firecracker, runs. Throws for an invalid description. */
export function firecrackerMachine(program: string, description: MachineDescription): VirtualMachine {
  checkDescription(description);
  const socket = join(description.directory, 'api');
  let process: ReturnType<typeof startVmProcess> | undefined;
  const begin = async (requests: readonly ApiRequest[]): Promise<void> => {
    if (process !== undefined) throw machineError('this machine was already started');
    // Firecracker creates its sockets itself, and fails if one already exists.
    for (const path of [socket, vsockPath(description)]) rmSync(path, { force: true });
    process = startVmProcess(program, ['--api-sock', socket]);
    try {
      (await process.connect(socket, startPatience)).destroy();
      for (const request of requests) await send(socket, request);
    } catch (error) {
      await process.kill();
      throw error;
    }
  };
  return {
    start: () => begin(bootRequests(description)),
    restore: (from) => begin(restoreRequests(from)),
    async snapshot(to) {
      const { pause, create, resume } = snapshotRequests(to);
      await send(socket, pause);
      try {
        await send(socket, create);
      } finally {
        await send(socket, resume);
      }
    },
    openChannel(port) {
      if (!description.channels.includes(port)) throw machineError(`the machine has no channel ${port}`);
      return openVsock(vsockPath(description), port);
    },
    async kill() {
      await process?.kill();
      for (const path of [socket, vsockPath(description)]) rmSync(path, { force: true });
    },
  };
}

/**
 * Requests a port of the guest with a line. Returns the connection once the answer confirms that a program listens on
 * the port.
 */
async function openVsock(path: string, port: number): Promise<Socket> {
  const socket = connect(path);
  try {
    await answerOf(socket, port);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const longestAnswer = 32;

function answerOf(socket: Socket, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const timer = setTimeout(() => settle(`port ${port} of the machine did not answer`), channelPatience);
    const settle = (failure?: string): void => {
      clearTimeout(timer);
      for (const name of ['readable', 'error', 'close'] as const) socket.removeAllListeners(name);
      if (failure === undefined) resolve();
      else reject(machineError(failure));
    };
    // Does not listen for `data`, so that the socket stays paused for its receiver.
    socket.on('readable', () => {
      answer = Buffer.concat([answer, bytesOf(socket.read())]);
      const end = answer.indexOf(10);
      if (end < 0 && answer.length <= longestAnswer) return;
      const right = /^OK \d{1,10}$/u.test(answer.toString('latin1', 0, Math.max(0, end)));
      settle(right ? undefined : `the machine sent an invalid answer for port ${port}`);
      if (right && end + 1 < answer.length) socket.unshift(answer.subarray(end + 1));
    });
    socket.on('error', (error) => settle(`port ${port} of the machine cannot be reached: ${error.message}`));
    socket.on('close', () => settle(`nothing listens on port ${port} of the machine`));
    socket.write(`CONNECT ${port}\n`);
  });
}

function bytesOf(read: unknown): Buffer {
  return Buffer.isBuffer(read) ? read : Buffer.alloc(0);
}

/** Milliseconds for one answer. A snapshot takes as long as the disk needs to write the guest's memory. */
const patience = 60_000;
const largestAnswer = 1 << 16;

/**
 * Sends one request to the socket of a Firecracker process. Rejects with Firecracker's message if it refuses, and for
 * any status except 204.
 */
async function send(socket: string, { method, path, body }: ApiRequest, limit = patience): Promise<void> {
  const { status, text } = await exchange({ socket, method, path, body: JSON.stringify(body), limit });
  if (status !== 204) throw machineError(`Firecracker refuses ${method} ${path} with ${status}: ${faultOf(text)}`);
}

interface Exchange {
  readonly socket: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly limit: number;
}

function exchange({
  socket,
  method,
  path,
  body,
  limit,
}: Exchange): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(limit);
    const fail = (cause: unknown): void =>
      reject(
        machineError(
          signal.aborted
            ? `Firecracker did not answer ${method} ${path} within ${limit / 1000} seconds`
            : `Firecracker cannot be asked ${method} ${path}: ${messageOf(cause)}`,
          cause,
        ),
      );
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const asked = request({ socketPath: socket, method, path, headers, signal, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
        if (text.length > largestAnswer) asked.destroy(new Error('its answer is too long'));
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text })).on('error', fail);
    });
    asked.on('error', fail).end(body);
  });
}

/** Firecracker's message, without characters that could harm a terminal. */
function faultOf(text: string): string {
  let fault: unknown;
  try {
    const value: unknown = JSON.parse(text);
    fault = typeof value === 'object' && value !== null && 'fault_message' in value ? value.fault_message : undefined;
  } catch {
    fault = undefined;
  }
  return typeof fault === 'string' ? fault.replace(/[^\x20-\x7e]/gu, '?').slice(0, 500) : 'it does not say why';
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** One request of Firecracker's API. Status 204 means that it was carried out. */
export interface ApiRequest {
  readonly method: 'PUT' | 'PATCH';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns the requests that boot a machine, in the required order. */
export function bootRequests(description: MachineDescription): readonly ApiRequest[] {
  const { kernel, initramfs, kernelWords, memory, processors, drives, channels } = description;
  return [
    put('/machine-config', { vcpu_count: processors, mem_size_mib: memory }),
    put('/boot-source', { kernel_image_path: kernel, initrd_path: initramfs, boot_args: kernelWords }),
    ...drives.map(({ name, path, access }) =>
      put(`/drives/${name}`, {
        drive_id: name,
        path_on_host: path,
        is_root_device: false,
        is_read_only: access === 'read',
      }),
    ),
    ...(channels.length === 0 ? [] : [put('/vsock', { guest_cid: guestAddress, uds_path: vsockPath(description) })]),
    put('/actions', { action_type: 'InstanceStart' }),
  ];
}

/** A machine has to be paused while its snapshot is written. */
export function snapshotRequests({
  state,
  memory,
}: SnapshotFiles): Readonly<Record<'pause' | 'create' | 'resume', ApiRequest>> {
  return {
    pause: { method: 'PATCH', path: '/vm', body: { state: 'Paused' } },
    create: put('/snapshot/create', { snapshot_type: 'Full', snapshot_path: state, mem_file_path: memory }),
    resume: { method: 'PATCH', path: '/vm', body: { state: 'Resumed' } },
  };
}

/** Returns the only request that a restored machine needs. Devices and memory are in the snapshot. */
export function restoreRequests({ state, memory }: SnapshotFiles): readonly ApiRequest[] {
  return [
    put('/snapshot/load', {
      snapshot_path: state,
      mem_backend: { backend_type: 'File', backend_path: memory },
      resume_vm: true,
    }),
  ];
}

/** The socket to the guest's ports. It is part of a snapshot. */
function vsockPath({ directory }: Pick<MachineDescription, 'directory'>): string {
  return join(directory, 'vsock');
}

/** The first address that is not the host's. */
const guestAddress = 3;

function put(path: string, body: ApiRequest['body']): ApiRequest {
  return { method: 'PUT', path, body };
}
