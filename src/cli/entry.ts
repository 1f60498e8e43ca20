import process from 'node:process';
import type { Writable } from 'node:stream';
import type { Command, CommandIo } from './command.ts';
import { endAtOnce, failureStatus, runToStatus } from './main.ts';

/** Body of every command's bundle: runs the command for this process. */
export async function enterCommand(command: Command): Promise<void> {
  // An empty event loop ends the process silently, without the command's own status.
  process.exitCode = failureStatus;
  const { io, flush } = processIo();
  const status = await runToStatus(command, process.argv.slice(3), io);
  await flush();
  // Tearing down the heap in order costs 2 ms.
  process.exit(status);
}

interface ProcessIo {
  readonly io: CommandIo;
  /** Resolves once all output has left: a pipe takes 64 KiB at once. */
  readonly flush: () => Promise<void>;
}

/** Makes the streams on first use: `run` mostly leaves them to its command, and each costs a millisecond. */
function processIo(): ProcessIo {
  const used = new Set<Writable>();
  const use = (stream: Writable): Writable => {
    if (!used.has(stream)) used.add(stream.on('error', endAtOnce));
    return stream;
  };
  const io: CommandIo = {
    get stdout() {
      return use(process.stdout);
    },
    get stderr() {
      return use(process.stderr);
    },
    cwd: workingDirectory(),
    environment: process.env,
  };
  return { io, flush: async () => void (await Promise.all([...used].map(flushed))) };
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** A removed working directory still has a name, which the command's own error can quote. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const { PWD = '' } = process.env;
    return PWD === '' ? '.' : PWD;
  }
}
