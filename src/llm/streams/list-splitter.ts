import type { Splitter } from './unit-editor.ts';

export interface ListSplitter extends Splitter {
  /** Where the list is. `behind`: an element has ended, and no comma has come. */
  place(): 'ahead' | 'within' | 'behind';
}

const [quote, backslash, comma, open, close, openBrace, closeBrace] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];
const spaces: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** Finds the elements of the list that a JSON document is, and the bracket that ends it, which is a unit of its own. Nothing behind that is one. */
export function createListSplitter(): ListSplitter {
  let chunk: Buffer = Buffer.alloc(0);
  let state: 'ahead' | 'in-list' | 'behind' = 'ahead';
  let isBehindElement = false;
  let depth = 0;
  let inString: 'no' | 'yes' | 'escaped' = 'no';
  let isBegun = false;

  /** Whether the element ends with this octet. */
  const endsWith = (octet: number): boolean => {
    if (inString !== 'no') {
      const isEnd = inString === 'yes' && octet === quote;
      inString = inString === 'yes' && octet === backslash ? 'escaped' : isEnd ? 'no' : 'yes';
      return isEnd && depth === 0;
    }
    if (octet === quote) inString = 'yes';
    else if (octet === open || octet === openBrace) depth += 1;
    else if (octet === close || octet === closeBrace) depth -= 1;
    return depth <= 0 && (octet === close || octet === closeBrace);
  };
  /** Of a number or a name: it has no end of its own. */
  const isParted = (octet: number): boolean => isBegun && depth === 0 && inString === 'no' && (octet === comma || octet === close || spaces.includes(octet));
  const ended = (at: number): number => {
    [depth, inString, isBegun, isBehindElement] = [0, 'no', false, true];
    return at;
  };

  return {
    place: () => (isBegun ? 'within' : isBehindElement ? 'behind' : 'ahead'),
    open(bytes) {
      chunk = bytes;
    },
    tail: (at) => at,
    skip(at) {
      if (state === 'behind') return chunk.length;
      for (let from = at; from < chunk.length; from += 1) {
        const octet = chunk[from] ?? 0;
        if (spaces.includes(octet)) continue;
        if (state === 'ahead' && octet === open) state = 'in-list';
        else if (octet === comma) isBehindElement = false;
        else return from;
      }
      return chunk.length;
    },
    findEnd(at) {
      if (!isBegun && chunk[at] === close) {
        state = 'behind';
        return at + 1;
      }
      for (let from = at; from < chunk.length; from += 1) {
        const octet = chunk[from] ?? 0;
        if (isParted(octet)) return ended(from);
        isBegun = true;
        if (endsWith(octet)) return ended(from + 1);
      }
      return -1;
    },
  };
}
