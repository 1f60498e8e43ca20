import { matchAt } from './destination.ts';

/** What begins nothing wherever it stands, over lines that begin with a letter: neither a block, nor a link, nor code. */
const words = /(?:[^\r\n<>[\]&\\`/$%{}]|\n(?=\p{L}))*/uy;
const linked = /www|mailto:|xmpp:/iu;
/** Characters that are looked at. Attack: a word of 8 MB is more than an expression can go over. */
const longestLooked = 1024 * 1024;

/** How much of the beginning are words that no renderer makes anything of, whatever follows. Up to a blank: a word may go on. */
export function wordsEnd(text: string, place: 'line-start' | 'inside-line'): number {
  if (place === 'line-start' && !/^\p{L}/u.test(text)) return 0;
  const found = matchAt(words, text.slice(0, longestLooked), 0)?.[0] ?? '';
  const stop = found.search(linked);
  const last = stop < 0 ? found : found.slice(0, stop);
  return Math.max(last.lastIndexOf(' '), last.lastIndexOf('\n')) + 1;
}
