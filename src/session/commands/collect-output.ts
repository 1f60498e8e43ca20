import type { Readable } from 'node:stream';
import type { Reader } from '../shown-output.ts';
import type { CommandHandle, CommandResult } from './command-handle.ts';
import { KeptEnds, KeptStart } from './kept.ts';

export interface CollectOptions {
  readonly show: Reader | undefined;
  /** Bytes of each stream. */
  readonly limit: number;
  /** Default `start`. */
  readonly keep?: KeptPart | undefined;
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

/** `ends`: half of what is kept is from the end, with a line between that says what is missing. */
export type KeptPart = 'start' | 'ends';

type Collected = Pick<CommandResult, 'stdout' | 'stderr' | 'findings' | 'truncated'>;

/**
 * What both streams carry until they end; what is beyond the limit is read, counted and dropped, so that the command is
 * not held.
 */
export async function collectOutput(
  { stdout, stderr }: Pick<CommandHandle, 'stdout' | 'stderr'>,
  options: CollectOptions,
): Promise<Collected> {
  const { show } = options;
  if (show === undefined) return both(await Promise.all([collect(stdout, options), collect(stderr, options)]), []);
  const { shownOutput } = await import('../shown-output.ts');
  const streams = [shownOutput(stdout, show), shownOutput(stderr, show)] as const;
  const outputs = await Promise.all([collect(streams[0].stream, options), collect(streams[1].stream, options)]);
  return both(
    outputs,
    streams.flatMap(({ findings }) => findings()),
  );
}

interface Part {
  readonly bytes: Buffer;
  readonly truncated: number;
}

function both([out, err]: readonly [Part, Part], findings: Collected['findings']): Collected {
  return {
    stdout: out.bytes,
    stderr: err.bytes,
    truncated: { stdout: out.truncated, stderr: err.truncated },
    findings,
  };
}

async function collect(stream: Readable, { limit, keep = 'start', onOutput }: CollectOptions): Promise<Part> {
  const kept = keep === 'ends' ? new KeptEnds(limit) : new KeptStart(limit);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    kept.push(chunk);
    onOutput?.(chunk);
  }
  return { bytes: kept.bytes(), truncated: kept.leftOut };
}
