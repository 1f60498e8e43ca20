import type { Line } from '../staged/diff/index.ts';

const codes: Readonly<Record<Line['kind'], string>> = { heading: '1', note: '', warning: '1;31', place: '36', removed: '31', added: '32', context: '' };

/** A line in the colours of `git diff`. Its text holds no escapes of its own. */
export function coloured({ kind, text }: Line): string {
  return codes[kind] === '' || text === '' ? text : `\u001B[${codes[kind]}m${text}\u001B[m`;
}
