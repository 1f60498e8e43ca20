import { type Readable, Transform, type Writable } from 'node:stream';
import { CallJudge } from '../../mcp/call-judge.ts';
import { closeServerSession, type ServerBox, type ServerBoxOptions, startServerBox } from '../../mcp/server-box.ts';
import { present } from '../../text/present.ts';
import { OutputFilter } from '../../text/stream/output-filter.ts';
import { type LineStreams, LineTransport } from '../mcp/transport/line-transport.ts';
import { McpRelay } from './relay.ts';

export interface WrapOptions extends LineStreams {
  readonly server: ServerBoxOptions;
  /** Receives the server's stderr, and lines of ours. Hidden characters are written out. */
  readonly errors: Writable;
  /** Ends the session when aborted. */
  readonly signal?: AbortSignal;
}

export interface WrapEnd {
  /** `client`: the agent closed its end, or the signal was aborted. `server`: the server ended by itself. */
  readonly by: 'client' | 'server';
  /** Exit code of the server, which is killed when the agent is gone. */
  readonly exitCode: number;
}

/** Bytes of one message of a server. */
const longestMessage = 32 * 1024 * 1024;
/** Lines on stdout that are not messages. A person sees them. */
const mostTold = 5;

/**
 * Runs an MCP server in its own box and passes on allowed messages, until one side ends. Throws the errors of
 * `startServerBox` before it reads a byte.
 */
export async function wrapMcp({ server: options, errors, signal, ...streams }: WrapOptions): Promise<WrapEnd> {
  const box = await startServerBox(options);
  try {
    const judge = new CallJudge(box);
    return await relayed(box, { judge, streams, errors, ...(signal === undefined ? {} : { signal }) }).finally(() =>
      judge.close(),
    );
  } finally {
    box.running.box.end();
    await box.running.ended.catch(() => undefined);
    await closeServerSession(box.session);
  }
}

interface Ends {
  readonly judge: CallJudge;
  readonly streams: LineStreams;
  readonly errors: Writable;
  readonly signal?: AbortSignal;
}

async function relayed(box: ServerBox, { judge, streams, errors, signal }: Ends): Promise<WrapEnd> {
  const { stdin, stdout, stderr } = box.running.box.process as {
    readonly stdin: Writable;
    readonly stdout: Readable;
    readonly stderr: Readable;
  };
  const tell = (line: string): void =>
    void errors.write(`holdfast: ${present('terminal-output', line).text.replaceAll('\n', ' ')}\n`);
  const client = new LineTransport(streams);
  let strays = 0;
  const server = new LineTransport(
    { input: stdout, output: stdin },
    {
      longest: longestMessage,
      onWrong: ({ line }) => {
        if (line === 'too-long') relay.answerTooLong();
        if ((strays += 1) <= mostTold)
          tell(
            line === 'too-long'
              ? `${box.name} sent more than ${longestMessage} bytes in one message: dropped`
              : `${box.name} printed a line that is not a message: dropped`,
          );
      },
    },
  );
  const relay = new McpRelay({ box, judge, client, server, tell });
  passErrors(stderr, errors);
  await server.start();
  await client.start();
  const abort = (): void => void client.close();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  const by = await Promise.race([
    client.closed.then(() => 'client' as const),
    box.running.ended.then(() => 'server' as const),
  ]);
  signal?.removeEventListener('abort', abort);
  if (by === 'client') {
    relay.clientEnded();
    box.running.box.end();
  }
  const { exitCode } = await box.running.ended;
  if (by === 'server') await tellEnd(box, { relay, streams, tell, exitCode });
  await client.close();
  return { by, exitCode };
}

interface Ended {
  readonly relay: McpRelay;
  readonly streams: LineStreams;
  readonly tell: (line: string) => void;
  readonly exitCode: number;
}

/** Answers all waiting requests before the stream ends. */
async function tellEnd(box: ServerBox, { relay, streams, tell, exitCode }: Ended): Promise<void> {
  const why = `the MCP server ${box.name} has ended with status ${exitCode}`;
  relay.serverEnded(why);
  tell(
    `${why}${box.workspace === 'hidden' ? '; it sees only declared parts of the workspace and the home: give it --read, or an entry of [[mcp.servers]]' : ''}`,
  );
  await new Promise<void>((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) =>
    streams.output.writableLength === 0 ? resolve() : void streams.output.write('', () => resolve()),
  );
}

/** Passes at the reader's pace, so that a flood of the server is not kept here. */
function passErrors(stderr: Readable, errors: Writable): void {
  const filter = new OutputFilter({ for: 'person' });
  const shown = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, filter.push(chunk)),
    flush: (done) => done(null, filter.flush()),
  });
  stderr.on('error', () => shown.end());
  stderr.pipe(shown).pipe(errors, { end: false });
}
