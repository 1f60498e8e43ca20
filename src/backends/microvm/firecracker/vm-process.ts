import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HoldfastError } from '../../../errors/index.ts';

/** A program that runs one guest. */
export interface VmProcess {
  /**
   * Connects to a Unix socket of the program as soon as it exists. Rejects if the program ends first, or after `limit`
   * milliseconds.
   */
  connect(path: string, limit: number): Promise<Socket>;
  /** Ends the program and everything it started. Never rejects. */
  kill(): Promise<void>;
}

/** Starts `program` in a new process group, without a terminal, and with an empty environment. */
export function startVmProcess(program: string, words: readonly string[]): VmProcess {
  const child = spawn(program, words, { detached: true, env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
  let [said, ended] = ['', false];
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('latin1')).slice(-2000);
  });
  const gone = new Promise<void>((resolve) => {
    const settle = (): void => {
      ended = true;
      resolve();
    };
    child.on('error', (error) => {
      said = error.message;
      settle();
    });
    child.on('exit', settle);
  });
  return {
    async connect(path, limit) {
      for (const until = performance.now() + limit; ; ) {
        const socket = await tryConnect(path);
        if (socket !== undefined) return socket;
        if (ended) throw machineError(`the program of the machine ended at once: ${lastLine(said)}`);
        if (performance.now() > until)
          throw machineError(`the program of the machine did not open ${path} within ${limit / 1000} seconds`);
        await Promise.race([gone, pause()]);
      }
    },
    async kill() {
      endGroup(child.pid);
      await Promise.race([gone, pause(lastWait)]);
      child.stderr.destroy();
      child.unref();
    },
  };
}

/**
 * Milliseconds for a process to end after SIGKILL. A process that hangs in a kernel driver does not end, and is not
 * waited for.
 */
const lastWait = 5000;

function tryConnect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(undefined));
  });
}

function pause(milliseconds = 5): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

function lastLine(said: string): string {
  return (said.trim().split('\n').at(-1) ?? '').replace(/[^\x20-\x7e]/gu, '?') || 'it said nothing';
}

/**
 * A guest, whichever program runs it. One object stands for one guest, which is started or restored once, and ends with
 * `kill`.
 */
export interface VirtualMachine {
  /** Boots the guest from its kernel. */
  start(): Promise<void>;
  /** Writes the guest's state to files that do not exist yet, and resumes it. */
  snapshot(to: SnapshotFiles): Promise<void>;
  /** Replaces `start`: resumes from a snapshot of a machine with an equal description. */
  restore(from: SnapshotFiles): Promise<void>;
  /** Connects to a listener on a port inside the guest. */
  openChannel(port: number): Promise<Duplex>;
  /** Ends the guest and everything it started, at once. Never rejects, and may be called again. */
  kill(): Promise<void>;
}

/** All paths are absolute. */
export interface MachineDescription {
  readonly kernel: string;
  readonly initramfs: string;
  readonly kernelWords: string;
  /** Whole MiB. */
  readonly memory: number;
  /** 1 to 32. */
  readonly processors: number;
  readonly drives: readonly BlockDevice[];
  /** Ports for `openChannel`. */
  readonly channels: readonly number[];
  /**
   * A directory for the sockets of this guest alone, with mode 0700. At most 80 bytes, because socket paths have to be
   * short.
   */
  readonly directory: string;
}

export interface BlockDevice {
  /** Letters, digits and `_`. */
  readonly name: string;
  readonly path: string;
  readonly access: 'read' | 'read-write';
}

export interface SnapshotFiles {
  readonly state: string;
  /** Not used by a program that keeps everything in one file. */
  readonly memory: string;
}

export function machineError(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_LAUNCHER_FAILED', message, {
    remedy: 'see `holdfast microvm status`, or use another --backend',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Throws for an invalid description, because its values become parts of requests and arguments. */
export function checkDescription(description: MachineDescription): void {
  const { memory, processors, drives, channels, directory, kernel, initramfs } = description;
  const wrong = [
    [Number.isSafeInteger(memory) && memory >= 16 && memory <= 1 << 20, 'memory'],
    [Number.isSafeInteger(processors) && processors >= 1 && processors <= 32, 'processors'],
    [channels.every((port) => Number.isSafeInteger(port) && port >= 1 && port <= 0x7fff_ffff), 'channels'],
    [new Set(channels).size === channels.length, 'channels'],
    [
      drives.every(({ name }) => /^\w{1,32}$/u.test(name)) &&
        new Set(drives.map(({ name }) => name)).size === drives.length,
      'drives',
    ],
    [[kernel, initramfs, directory, ...drives.map(({ path }) => path)].every(isPlainPath), 'paths'],
    [Buffer.byteLength(directory) <= 80, 'directory'],
  ].find(([right]) => right !== true);
  if (wrong !== undefined) throw machineError(`the description of the machine is invalid: ${String(wrong[1])}`);
}

/** Excludes commas, because a comma separates options of qemu. */
function isPlainPath(path: string): boolean {
  return path.startsWith('/') && !/[,\p{Cc}]/u.test(path);
}
