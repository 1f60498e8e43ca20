import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { StartedCommand, TerminalSize } from './command-handle.ts';

/**
 * The handle of a command that starts when somebody has said so. What is written to it waits; what it is sent reaches
 * it then.
 */
export function laterHandle(starting: Promise<StartedCommand>): StartedCommand {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const signals: NodeJS.Signals[] = [];
  let size: TerminalSize | undefined;
  let handle: StartedCommand | undefined;
  const connected = starting.then(
    (started) => {
      handle = started;
      connect(started, { stdin, stdout, stderr });
      if (size !== undefined) started.resize(size);
      for (const signal of signals) started.kill(signal);
    },
    () => {
      for (const stream of [stdout, stderr]) stream.end();
      stdin.resume();
    },
  );
  return {
    stdin,
    stdout,
    stderr,
    ended: connected.then(() => starting).then(({ ended }) => ended),
    pid: () => handle?.pid(),
    resize: (wanted) => {
      if (handle === undefined) size = wanted;
      else handle.resize(wanted);
    },
    kill: (signal = 'SIGTERM') => {
      if (handle === undefined) signals.push(signal);
      else handle.kill(signal);
    },
  };
}

interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

function connect(handle: StartedCommand, { stdin, stdout, stderr }: Streams): void {
  // A command may end without reading its input.
  handle.stdin.on('error', () => stdin.resume());
  stdin.pipe(handle.stdin);
  handle.stdout.pipe(stdout);
  handle.stderr.pipe(stderr);
}
