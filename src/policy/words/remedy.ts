import { type Answer, builtinFile } from '../answer.ts';
import type { PolicyRequest } from '../request.ts';
import { printable } from './printable.ts';
import { type Way, wayToAllow } from './ways.ts';

/** The exact policy line and flag that would allow a request, or why nothing would. One line. */
export function remedyText(answer: Answer, request: PolicyRequest): string {
  const way = wayToAllow(answer, request);
  const done = answer.decision === 'ask' ? 'approve it when asked, or ' : '';
  switch (answer.decision) {
    case 'allow':
    case 'audit':
      return 'nothing is needed: it is allowed';
    default:
      return `${done}${wayText(way)}`;
  }
}

/** One way in words. */
export function wayText(way: Way): string {
  switch (way.kind) {
    case 'add': {
      const flag = way.flag === undefined ? '' : `, or run with ${way.flag.map(shellWord).join(' ')}`;
      return `add ${printable(way.line)} to ${printable(way.file)}${flag}`;
    }
    case 'change':
      return `change ${printable(way.rule)} in ${printable(way.file)}${way.at === 0 || way.file === builtinFile ? '' : ` line ${way.at}`}`;
    case 'nothing':
      return `nothing would allow it: ${printable(way.reason)}`;
  }
}

/** Quoted for a POSIX shell where that is needed. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", `'\\''`)}'`;
}
