import type { Body } from '../../egress/http/message.ts';
import type { KnownSecret } from '../types.ts';
import { encodingsOf } from './encodings.ts';
import { isLong, shortestBeginning } from './matcher.ts';

interface Spelling {
  readonly bytes: Buffer;
  readonly credential: string;
}

export interface CutSecretsOptions {
  readonly known: readonly KnownSecret[];
  readonly onMasked: (credential: string) => void;
}

/**
 * Masks the pieces of a secret at the borders of partial content (`206`). The client chooses the borders, so it could
 * collect a secret from many short parts. At most three bytes at each end of a secret stay. Attack:
 * `credentials-reflection`.
 */
export async function* withoutCutSecrets(body: Body, { known, onMasked }: CutSecretsOptions): AsyncGenerator<Buffer> {
  const spellings = known
    .filter(isLong)
    .flatMap(({ text, credential }) => encodingsOf(text).map((bytes): Spelling => ({ bytes, credential })));
  const longest = Math.max(0, ...spellings.map(({ bytes }) => bytes.length));
  let held: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const bytes of body) {
    held = Buffer.concat([held, bytes]);
    if (held.length <= 2 * longest) continue;
    if (isFirst) mask(held, spellings, { cut: beginsWithin, onMasked });
    isFirst = false;
    yield held.subarray(0, held.length - longest);
    held = held.subarray(held.length - longest);
  }
  if (isFirst) mask(held, spellings, { cut: beginsWithin, onMasked });
  mask(held, spellings, { cut: endsWithin, onMasked });
  if (held.length > 0) yield held;
}

/**
 * Returns the range in which a piece of a spelling is found. Undefined if the piece is shorter than
 * `shortestBeginning`.
 */
type Cut = (bytes: Buffer, spelling: Buffer) => readonly [number, number] | undefined;

interface Masking {
  readonly cut: Cut;
  readonly onMasked: CutSecretsOptions['onMasked'];
}

/** Overwrites the bytes, which are a copy. */
function mask(bytes: Buffer, spellings: readonly Spelling[], { cut, onMasked }: Masking): void {
  const found = spellings.flatMap((spelling) => {
    const place = cut(bytes, spelling.bytes);
    return place === undefined ? [] : [{ place, credential: spelling.credential }];
  });
  for (const { place, credential } of found) {
    bytes.fill('*', ...place);
    onMasked(credential);
  }
}

/** Finds a piece at the beginning: the bytes begin with the end of a spelling, or lie entirely within one. */
const beginsWithin: Cut = (bytes, spelling) => {
  if (bytes.length >= shortestBeginning && spelling.includes(bytes)) return [0, bytes.length];
  for (let length = Math.min(spelling.length - 1, bytes.length); length >= shortestBeginning; length -= 1)
    if (spelling.subarray(spelling.length - length).equals(bytes.subarray(0, length))) return [0, length];
  return undefined;
};

const endsWithin: Cut = (bytes, spelling) => {
  for (let length = Math.min(spelling.length - 1, bytes.length); length >= shortestBeginning; length -= 1)
    if (spelling.subarray(0, length).equals(bytes.subarray(bytes.length - length)))
      return [bytes.length - length, bytes.length];
  return undefined;
};
