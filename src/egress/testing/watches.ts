import type { StreamWatch } from '../types.ts';

/** Stops at a word, however it is cut. Holds its possible beginning back until the end, or a pause. */
export function watchFor(word: string): StreamWatch {
  let known: Buffer = Buffer.alloc(0);
  let held = 0;
  return {
    push(bytes) {
      const all = Buffer.concat([known, bytes]);
      if (all.includes(word)) return 'stop';
      const given = known.length - held;
      let tail = Math.min(word.length - 1, all.length);
      while (!word.startsWith(all.toString('latin1', all.length - tail))) tail -= 1;
      const end = Math.max(given, all.length - tail);
      known = all.subarray(all.length - tail);
      held = all.length - end;
      return all.subarray(given, end);
    },
    end() {
      const last = known.subarray(known.length - held);
      held = 0;
      return last;
    },
  };
}
