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

/** Who reads what a command prints. */
export type Reader = 'model' | 'person';

/** Milliseconds after which a prompt that waits for the rest of its line is shown. */
const patience = 50;

/** What a command prints, as it may be shown; `findings` grow with it. */
export interface ShownOutput {
  readonly stream: Readable;
  readonly findings: () => readonly TextFinding[];
}

/**
 * Filters as it flows: bytes that need no change are passed on uncopied. Anyone who closes the shown stream closes the
 * command's output, which then meets SIGPIPE.
 */
export function shownOutput(output: Readable, reader: Reader): ShownOutput {
  const filter = new OutputFilter({ for: reader });
  const stream = transformBy(filter);
  output.on('error', (error) => stream.destroy(error));
  stream.on('close', () => output.destroy());
  return { stream: output.pipe(stream), findings: () => filter.report().findings };
}

/** The same into a stream that stays open, to the end or until nobody reads there any more (`| head`). */
export async function showTo(output: Readable, reader: Reader, to: Writable): Promise<readonly TextFinding[]> {
  const { stream, findings } = shownOutput(output, reader);
  try {
    await pipeline(stream, to, { end: false });
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
  return findings();
}

/** Where a command prints that is shown on stdout and stderr of this process. */
export interface ShownStreams {
  /** What the command gets as its stdout and stderr. */
  readonly descriptors: readonly [number, number];
  /** Once the command has them: shows what it prints, to the end or until nobody reads any more. */
  show(): Promise<readonly TextFinding[]>;
}

export function shownStreams(reader: Reader): ShownStreams {
  const [stdout, stderr] = [openOutputPipe(), openOutputPipe()];
  return {
    descriptors: [stdout.writing, stderr.writing],
    show: async () =>
      (
        await Promise.all([
          showTo(stdout.read(), reader, process.stdout),
          showTo(stderr.read(), reader, process.stderr),
        ])
      ).flat(),
  };
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

export interface ShownCommand {
  readonly argv: readonly string[];
  readonly reader: Reader;
  readonly findings: readonly TextFinding[];
}

/** For the journal: what the output of a command held. */
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

/** Nothing at all is not pushed: a reader would see a chunk without bytes. */
function pushSome(stream: Transform, bytes: Uint8Array): void {
  if (bytes.length > 0) stream.push(bytes);
}

/** `pipe(2)`. Node gives its children sockets, whose writers meet ECONNRESET where those of a pipe meet SIGPIPE. */
interface OutputPipe {
  /** Descriptor for a program that is started; no other one inherits it. */
  readonly writing: number;
  /** Once that program has it: what it writes, until nobody has it any more. */
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
