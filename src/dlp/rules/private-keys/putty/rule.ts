import { endOf } from '../../lib/at.ts';
import { literal } from '../../lib/leads.ts';
import { isPlaceholder } from '../../lib/placeholders.ts';
import type { Rule } from '../../types.ts';

const lead = 'Private-Lines: ';
const count = /Private-Lines: \d{1,3}(?:\r?\n|\\n)/uy;
const line = /[0-9A-Za-z+/=]{4,64}(?:\r?\n|\\n)?/uy;
const mostLines = 400;
const fewestCharacters = 40;

/** The private part of a key file of PuTTY. */
export const putty: Rule = {
  name: 'putty-private-key',
  leads: [literal(lead)],
  match(text, at) {
    const start = endOf(count, text, at);
    if (start === undefined) return undefined;
    const end = endOfLines(text, start);
    const body = text.slice(start, end);
    return body.length < fewestCharacters || isPlaceholder(body) ? undefined : { start: at, end };
  },
  sources: ['https://the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html'],
};

function endOfLines(text: string, start: number): number {
  let at = start;
  for (let count = 0; count < mostLines; count += 1) {
    const end = endOf(line, text, at);
    // What follows has a name and a colon: `Private-MAC: …`.
    if (end === undefined || text[end] === '-' || text[end] === ':') return at;
    at = end;
  }
  return at;
}
