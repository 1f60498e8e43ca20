import { bytesOneByOne, cutAt, pass } from '../../src/llm/streams/testing/cut.ts';
import type { StreamEditor } from '../../src/llm/types.ts';
import type { EditorOptions, Unread } from '../../src/llm/index.ts';
import { type Random, seeded } from '../differential/random.ts';
import { replacements } from './mutate.ts';

/** An editor of one kind of stream. With a replacement, it replaces markers. Otherwise it changes nothing. */
export interface EditorKind {
  readonly open: (replacement: string | undefined, options: EditorOptions) => StreamEditor;
  /** The expected whole stream. Undefined if these bytes allow no statement. */
  readonly isRight: (input: Buffer, output: Buffer, replacement: string) => boolean;
}

/**
 * Properties for any bytes in any pieces: nothing is changed without a request, held back beyond the limit, or
 * dependent on the pieces.
 */
export function streamProblem(kind: EditorKind, bytes: Buffer, seed: number): string | undefined {
  const random = seeded(seed);
  const limit = random.chance(0.5) ? 8 + random.below(400) : 1_000_000;
  const pieces = [[bytes], bytesOneByOne(bytes), cutAt(bytes, cuts(random)), cutAt(bytes, cuts(random))];
  for (const chunks of pieces)
    if (!pass(kind.open(undefined, { limit }), chunks).equals(bytes))
      return `changed unasked, in ${chunks.length} pieces`;
  if (mostHeld(kind.open(undefined, { limit }), pieces[1] ?? []) > Math.max(limit, smallestHeld))
    return 'held more than the limit';
  const replacement = random.pick(replacements);
  const [whole, ...others] = pieces.map((chunks) => told(kind, chunks, { replacement, limit }));
  const other = others.findIndex((each) => each.text !== whole?.text);
  if (other >= 0) return `another result in pieces (${other + 1})`;
  return limit === 1_000_000 && !kind.isRight(bytes, pass(kind.open(replacement, {}), [bytes]), replacement)
    ? `not as it should be, with ${JSON.stringify(replacement)}`
    : undefined;
}

/** An incomplete byte order mark. */
const smallestHeld = 2;

function told(
  kind: EditorKind,
  chunks: readonly Buffer[],
  { replacement, limit }: { readonly replacement: string; readonly limit: number },
): { readonly text: string } {
  const unread: Unread[] = [];
  const out = pass(kind.open(replacement, { limit, onUnread: (why) => unread.push(why) }), chunks);
  return { text: `${out.toString('latin1')} ${unread.join()}` };
}

function mostHeld(editor: StreamEditor, chunks: readonly Buffer[]): number {
  let held = 0;
  let most = 0;
  for (const chunk of chunks) {
    held += chunk.length - editor.push(chunk).length;
    most = Math.max(most, held);
  }
  return most;
}

function cuts(random: Random): readonly number[] {
  return Array.from({ length: random.below(12) }, () => random.below(100_000));
}
