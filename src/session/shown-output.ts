import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { kernelCall } from '../kernel/index.ts';
import { openFlags } from '../notify/perform/open-flags.ts';
import { OutputFilter, type TextFinding } from '../text/index.ts';
import { noteText, type TextSession } from '../place/text-events.ts';

export { describeFindings } from '../text/index.ts';

/** Reader of the output. */
export type Reader = 'model' | 'person';

/** Milliseconds after which an unfinished line, such as a prompt, is shown. */
const patience = 50;

/** Output of a command in a form that may be shown. `findings` grow as it is read. */
export interface ShownOutput {
  readonly stream: Readable;
  readonly findings: () => readonly TextFinding[];
}

/**
 * Filters output as it flows. Bytes that need no change are not copied. Closing the shown stream closes the command's
 * output, and the command then gets SIGPIPE.
 */
export function shownOutput(output: Readable, reader: Reader): ShownOutput {
  const filter = new OutputFilter({ for: reader });
  const stream = transformBy(filter);
  output.on('error', (error) => stream.destroy(error));
  stream.on('close', () => output.destroy());
  return { stream: output.pipe(stream), findings: () => filter.report().findings };
}

/** Filters output into a stream that stays open, until the end or until the reader closes the stream (`| head`). */
export async function showTo(output: Readable, reader: Reader, to: Writable): Promise<readonly TextFinding[]> {
  const { stream, findings } = shownOutput(output, reader);
  try {
    await pipeline(stream, to, { end: false });
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
  return findings();
}

/** Streams of a command whose output is shown on this process's stdout and stderr. */
export interface ShownStreams {
  /** The command's stdout and stderr. */
  readonly descriptors: readonly [number, number];
  /** Call once the command has its descriptors. Shows the output until it ends or the reader closes it. */
  show(): Promise<readonly TextFinding[]>;
}

/** `most`: bytes of each stream. Beyond it the stream ends, so that the command gets SIGPIPE. Default: any number. */
export function shownStreams(reader: Reader, most = Number.POSITIVE_INFINITY): ShownStreams {
  const [stdout, stderr] = [openOutputPipe(), openOutputPipe()];
  return {
    descriptors: [stdout.writing, stderr.writing],
    show: async () =>
      (
        await Promise.all([
          showTo(bounded(stdout.read(), most), reader, process.stdout),
          showTo(bounded(stderr.read(), most), reader, process.stderr),
        ])
      ).flat(),
  };
}

/** Passes this many bytes of the output. Then its reading end closes, and the command gets SIGPIPE. */
function bounded(output: Readable, most: number): Readable {
  if (most === Number.POSITIVE_INFINITY) return output;
  let left = most;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pushSome(this, chunk.subarray(0, left));
      left -= chunk.length;
      if (left >= 0) return done();
      process.stderr.write(`holdfast: the output ends here: a strict session shows ${most} bytes of each stream\n`);
      output.destroy();
      this.push(null);
    },
  });
  output.on('error', (error) => stream.destroy(error));
  stream.on('close', () => output.destroy());
  return output.pipe(stream);
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

export interface ShownCommand {
  readonly argv: readonly string[];
  readonly reader: Reader;
  readonly findings: readonly TextFinding[];
}

/** Writes the findings in a command's output to the journal. */
export function noteShown(session: TextSession, { argv, reader, findings }: ShownCommand): void {
  noteText(session, {
    boundary: reader === 'model' ? 'command-output' : 'terminal-output',
    where: argv.join(' '),
    findings,
  });
}

function transformBy(filter: OutputFilter): Transform {
  let waiting: NodeJS.Timeout | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      clearTimeout(waiting);
      waiting = setTimeout(() => pushSome(this, filter.flush()), patience).unref();
      pushSome(this, filter.push(chunk));
      done();
    },
    flush(done) {
      clearTimeout(waiting);
      pushSome(this, filter.end());
      done();
    },
    destroy(error, done) {
      clearTimeout(waiting);
      done(error);
    },
  });
}

/** Skips empty bytes, which a reader would get as an empty chunk. */
function pushSome(stream: Transform, bytes: Uint8Array): void {
  if (bytes.length > 0) stream.push(bytes);
}

/** `pipe(2)`. Node gives its children sockets, and a writer to a closed socket gets ECONNRESET instead of SIGPIPE. */
interface OutputPipe {
  /** Descriptor for one started program. No other program inherits it. */
  readonly writing: number;
  /** Call once the program has its descriptor. Yields the output until no process holds the pipe. */
  read(): Readable;
}

function openOutputPipe(): OutputPipe {
  const ends = new Int32Array(2);
  kernelCall('pipe2', new Uint8Array(ends.buffer), openFlags.closeOnExec);
  const [reading = -1, writing = -1] = ends;
  return {
    writing,
    read() {
      closeSync(writing);
      return new Socket({ fd: reading, readable: true, writable: false });
    },
  };
}
