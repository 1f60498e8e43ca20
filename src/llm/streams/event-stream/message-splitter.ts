import type { Splitter } from '../unit-editor.ts';
import { preludeSize, readPrelude } from './layout.ts';

/** Finds messages by the lengths in their preludes. A prelude that is wrong is a unit by itself: nothing tells where its message ends. */
export function createMessageSplitter(): Splitter {
  const prelude = Buffer.alloc(preludeSize);
  let chunk: Buffer = Buffer.alloc(0);
  let known = 0;
  /** Octets that are still to come, once the prelude is known. */
  let left = 0;

  /** Where the prelude ends, or the chunk. */
  const fillPrelude = (at: number): number => {
    if (known === preludeSize) return at;
    const copied = chunk.copy(prelude, known, at);
    known += copied;
    if (known === preludeSize) left = (readPrelude(prelude)?.total ?? preludeSize) - preludeSize;
    return at + copied;
  };

  return {
    open(bytes) {
      chunk = bytes;
    },
    tail: (at) => at,
    skip: (at) => at,
    findEnd(at) {
      const from = fillPrelude(at);
      const isEnd = known === preludeSize && chunk.length - from >= left;
      const end = from + left;
      if (isEnd) known = 0;
      else if (known === preludeSize) left -= chunk.length - from;
      return isEnd ? end : -1;
    },
  };
}
