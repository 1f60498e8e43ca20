import type { CommandHandle } from './command-handle.ts';
import type { OutputChunk, OutputName } from './output-tape.ts';

/**
 * Both streams as one, at the pace of the reader: the command waits when nobody takes what it prints. Once the loop is left the
 * rest is read and dropped, so that the command can go on.
 */
export async function* readBoth(streams: Pick<CommandHandle, OutputName>): AsyncGenerator<OutputChunk, void> {
  const queue: OutputChunk[] = [];
  let open = 2;
  let wake = (): void => undefined;
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = streams[name];
    if (stream.closed) open -= 1;
    stream.once('close', () => {
      open -= 1;
      wake();
    });
    stream.on('data', (data: Buffer) => {
      queue.push({ stream: name, data, missing: 0 });
      stream.pause();
      wake();
    });
  }
  try {
    for (;;) {
      const chunk = queue.shift();
      if (chunk === undefined && open === 0) return;
      if (chunk === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else {
        yield chunk;
        streams[chunk.stream].resume();
      }
    }
  } finally {
    for (const stream of [streams.stdout, streams.stderr]) stream.removeAllListeners('data').resume();
  }
}
