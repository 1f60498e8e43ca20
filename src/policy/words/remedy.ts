import type { Answer } from '../answer.ts';
import { builtinFile } from '../origin.ts';
import type { PolicyRequest } from '../request.ts';
import { printable } from './printable.ts';
import { type Way, waysToAllow } from './ways.ts';

/** The exact policy line and flag that would allow a request, or why nothing would. One line. */
export function remedyText(answer: Answer, request: PolicyRequest): string {
  answer.memo.remedy ??= { text: fixedRemedy(answer, request) };
  return answer.memo.remedy.text ?? `${approval(answer)}${waysText(answer, request)}`;
}

/** The remedy of an answer that has the same for every request: only additions name what was asked for. */
function fixedRemedy(answer: Answer, request: PolicyRequest): string | undefined {
  if (answer.decision === 'allow' || answer.decision === 'audit') return 'nothing is needed: it is allowed';
  if (
    answer.code === 'not-granted' ||
    answer.code === 'outside-ceiling' ||
    answer.code === 'protected-path' ||
    answer.code === 'hidden-file'
  )
    return undefined;
  return `${approval(answer)}${waysText(answer, request)}`;
}

function approval({ decision }: Answer): string {
  return decision === 'ask' ? 'approve it when asked, or ' : '';
}

function waysText(answer: Answer, request: PolicyRequest): string {
  return waysToAllow(answer, request).map(wayText).join(', and ');
}

/** One way in words. */
export function wayText(way: Way): string {
  switch (way.kind) {
    case 'add': {
      const flag = way.flag === undefined ? '' : `, or run with ${way.flag[0]} ${shellWord(way.flag[1])}`;
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
