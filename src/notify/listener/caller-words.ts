import { pointer, rawKernel, syscallNumber } from '../../kernel/index.ts';

/** Reads the arguments of a command in a stopped caller's memory, which may change at any moment. */
export interface CallerWords {
  /** Reads at most `most` arguments, as bytes in latin1. `unreadable` if the kernel would also fail to read them. */
  words(thread: number, address: bigint, most?: number): CallersWords;
}

export type CallersWords =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** There are more arguments, or longer ones, than Holdfast inspects. */
  | { readonly kind: 'too-long'; readonly words: readonly string[] }
  | { readonly kind: 'unreadable' };

/** Far more than a person writes, and as many as `xargs` passes. */
export const mostWords = 4096;
const mostBytes = 256 * 1024;

const page = 4096n;
const slot = 256;
const slots = 32;
const pointersAtOnce = 64;

export function callerWords(): CallerWords {
  const read = reader();
  return {
    words(thread, address, most = mostWords) {
      if (address === 0n) return { kind: 'words', words: [] };
      const found = pointersAt(read, { thread, address, most });
      if (found === undefined) return { kind: 'unreadable' };
      const words: string[] = [];
      let bytes = 0;
      for (let at = 0; at < found.pointers.length; at += slots) {
        for (const word of read.texts(thread, found.pointers.slice(at, at + slots))) {
          const whole = word ?? undefined;
          if (whole === undefined) return { kind: 'unreadable' };
          bytes += whole.length + 1;
          if (bytes > mostBytes) return { kind: 'too-long', words };
          words.push(whole);
        }
      }
      return { kind: found.end === 'seen' || most < mostWords ? 'words' : 'too-long', words };
    },
  };
}

interface Reader {
  /** Reads eight-byte pointers, at most up to the end of the page. Undefined if not even one is readable. */
  readonly pointers: (thread: number, address: bigint, most: number) => readonly bigint[] | undefined;
  /** An entry is undefined if its text is unreadable. */
  readonly texts: (thread: number, addresses: readonly bigint[]) => readonly (string | undefined)[];
}

interface Vector {
  readonly thread: number;
  readonly address: bigint;
  readonly most: number;
}

interface Pointers {
  readonly pointers: readonly bigint[];
  readonly end: 'seen' | 'beyond';
}

function pointersAt(read: Reader, { thread, address, most }: Vector): Pointers | undefined {
  const pointers: bigint[] = [];
  while (pointers.length < most) {
    const next = read.pointers(thread, address + BigInt(pointers.length) * 8n, most - pointers.length);
    if (next === undefined) return undefined;
    for (const word of next) {
      if (word === 0n) return { pointers, end: 'seen' };
      if (pointers.push(word) === most) break;
    }
  }
  return { pointers, end: 'beyond' };
}

/** Reads up to 32 arguments with one system call, each up to the end of its page. Most end before that. */
function reader(): Reader {
  const { call } = rawKernel();
  const number = syscallNumber('process_vm_readv');
  const local = new BigUint64Array(2);
  const remote = new BigUint64Array(2 * slots);
  const heap = Buffer.alloc(slot * slots);
  const [localAt, remoteAt, heapAt] = [
    Number(pointer(new Uint8Array(local.buffer))),
    Number(pointer(new Uint8Array(remote.buffer))),
    pointer(heap),
  ];
  const fetch = (thread: number, pieces: number, bytes: number): number => {
    local[0] = heapAt;
    local[1] = BigInt(bytes);
    return Math.max(0, call(number, thread, localAt, 1, remoteAt, pieces, 0));
  };
  const piece = (index: number, address: bigint, length: number): void => {
    remote[2 * index] = address;
    remote[2 * index + 1] = BigInt(length);
  };
  const long = (thread: number, start: bigint): string | undefined => {
    let text = '';
    for (let address = start; text.length <= mostBytes; ) {
      const length = untilPageEnd(address, heap.length);
      piece(0, address, length);
      const came = fetch(thread, 1, length);
      if (came === 0) return undefined;
      const end = heap.indexOf(0);
      if (end >= 0 && end < came) return text + heap.toString('latin1', 0, end);
      text += heap.toString('latin1', 0, came);
      address += BigInt(came);
    }
    return text;
  };
  return {
    pointers(thread, address, most) {
      // In an unaligned vector, one pointer crosses the end of a page.
      const length = address % 8n === 0n ? untilPageEnd(address, Math.min(most, pointersAtOnce) * 8) : 8;
      piece(0, address, length);
      const came = fetch(thread, 1, length);
      if (came < 8) return undefined;
      return Array.from({ length: Math.floor(came / 8) }, (_, index) => heap.readBigUInt64LE(index * 8));
    },
    texts(thread, addresses) {
      const lengths = addresses.map((address, index) => {
        const length = untilPageEnd(address, slot);
        piece(index, address, length);
        return length;
      });
      const came = fetch(
        thread,
        addresses.length,
        lengths.reduce((sum, length) => sum + length, 0),
      );
      let at = 0;
      const short = addresses.map((_, index) => {
        const [start, length] = [at, lengths[index] ?? 0];
        at += length;
        const end = at <= came ? heap.indexOf(0, start) : -1;
        return end >= start && end < at ? heap.toString('latin1', start, end) : undefined;
      });
      return short.map((text, index) => text ?? long(thread, addresses[index] ?? 0n));
    },
  };
}

function untilPageEnd(address: bigint, most: number): number {
  return Math.min(most, Number(page - (address % page)));
}
