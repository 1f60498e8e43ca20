import type { Writable } from 'node:stream';
import type { CommandEnd, OutputChunk } from '../../sandbox/index.ts';
import { refusalLine } from '../../place/refusals/describe.ts';
import type { Call } from '../server/open-call.ts';

/** What becomes of a command that somebody looks on at. */
export type Seen = { readonly kind: 'left'; readonly id: string } | ({ readonly kind: 'ended' } & SeenEnd);

interface SeenEnd {
  /** 0 to 255; 128+n when a signal ended the command. */
  readonly exitCode: number;
  readonly ending: CommandEnd['ending'];
  /** What was refused and what was moved away, a line for each. */
  readonly notices: readonly string[];
}

/** Gives the client what a command prints, at the client's pace, until there is no more or the client has left. */
export async function passOn(
  source: AsyncIterable<OutputChunk>,
  call: Call,
  left: AbortSignal,
): Promise<'ended' | 'left'> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await orLeft(chunks.next(), left);
    if (next === 'left') break;
    if (next.done === true) return 'ended';
    const { stream, data, missing } = next.value;
    if (missing > 0) call.note({ kind: 'missing', bytes: missing });
    if ((await orLeft(call.write(stream, data), left)) !== 'sent') break;
  }
  // What it prints from now on is read and dropped: it must not wait for somebody who has left.
  void chunks.return?.(undefined);
  return 'left';
}

/** Types into a command what the client sends, until the client says that there is no more. */
export async function feed(call: Call, stdin: Writable): Promise<void> {
  // A command may end without reading its input.
  stdin.on('error', () => undefined);
  for await (const { data } of call.input())
    if (stdin.writable) await new Promise((resolve) => stdin.write(data, resolve));
}

export function seenEnd({ exitCode, ending, refusals, quarantined }: CommandEnd): Seen {
  const moved = quarantined.map(
    ({ path, movedTo, reason }) => `holdfast: moved ${path} to ${movedTo}, because ${reason}`,
  );
  const late = ending === 'timed-out' ? ['holdfast: the time limit ended the command'] : [];
  return { kind: 'ended', exitCode, ending, notices: [...refusals.map(refusalLine), ...moved, ...late] };
}

/** Lets go of the signal afterwards: a stream has many pieces. */
function orLeft<T>(work: Promise<T>, left: AbortSignal): Promise<T | 'left'> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve('left');
    if (left.aborted) leave();
    left.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => left.removeEventListener('abort', leave));
  });
}
