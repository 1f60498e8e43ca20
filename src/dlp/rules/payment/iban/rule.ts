import { endOf } from '../../lib/at.ts';
import { endsFree, startsFree } from '../../lib/boundaries.ts';
import { digit } from '../../lib/characters.ts';
import { remainderOf } from '../../lib/remainders.ts';
import type { Rule } from '../../types.ts';
import { documentedIbans, ibanLengths } from './countries.ts';

const character = /[0-9A-Z]/uy;
const groupLength = 4;
/** Accounts are filled up with zeros, but not with so many. */
const handwritten = '0000000000';

/** In one run or in groups of four with one blank between them; the country's length and the check digits are right. */
export const iban: Rule = {
  name: 'iban',
  leads: [...ibanLengths.keys()].map((country) => [...country, digit, digit]),
  match(text, at) {
    const length = ibanLengths.get(text.slice(at, at + 2));
    if (length === undefined || !startsFree(text, at)) return undefined;
    const end = endOfIban(text, at, length);
    if (end === undefined || !endsFree(text, end)) return undefined;
    const value = text.slice(at, end).replaceAll(' ', '');
    const isRight = remainderOf(`${value.slice(groupLength)}${value.slice(0, groupLength)}`, 97) === 1;
    return isRight && !documentedIbans.has(value) && !value.includes(handwritten) ? { start: at, end } : undefined;
  },
  sources: ['ISO 13616-1:2020', 'https://www.swift.com/standards/data-standards/iban-international-bank-account-number'],
};

function endOfIban(text: string, start: number, length: number): number | undefined {
  const isGrouped = text[start + groupLength] === ' ';
  let at = start;
  for (let count = 0; count < length; count += 1) {
    if (isGrouped && count > 0 && count % groupLength === 0) {
      if (text[at] !== ' ') return undefined;
      at += 1;
    }
    const end = endOf(character, text, at);
    if (end !== at + 1) return undefined;
    at = end;
  }
  return at;
}
