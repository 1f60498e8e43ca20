import { digit, isDigit, isWord } from '../../lib/characters.ts';
import { hasNear } from '../../lib/context.ts';
import { places } from '../../lib/leads.ts';
import { passesLuhn } from '../../lib/luhn.ts';
import type { Rule, Span } from '../../types.ts';
import { documentedCards } from './documented.ts';
import { cardLengthOf } from './issuers.ts';

/** All in one run, or in the groups that cards show: 4-4-4-4, 4-6-5 and 4-6-4, with one blank or dash between them. */
const plain = /\d{12,19}/uy;
/** A fifth group is of a number of 17 to 19 digits, or the year or code that is written behind one of 16. */
const grouped = [/\d{4}([ -])\d{4}\1\d{4}\1\d{4}\1\d{1,3}/uy, /\d{4}([ -])\d{4}\1\d{4}\1\d{4}/uy, /\d{4}([ -])\d{6}\1\d{4,5}/uy];
const words = /card|visa|maestro|mastercard|amex|discover|unionpay|karte|carte|tarjeta|\bpan\b|credit|debit/u;

/** A card's number: issuer, length and check digit are right, and it is no part of a longer number or of a list of numbers. */
export const card: Rule = {
  name: 'card-number',
  leads: [['23456', ...places(digit, 3)]],
  match(text, at) {
    if (isWithinMore(text, at)) return undefined;
    for (const form of [plain, ...grouped]) {
      form.lastIndex = at;
      const span = form.test(text) ? { start: at, end: form.lastIndex } : undefined;
      if (span !== undefined && isCard(text, span)) return span;
    }
    return undefined;
  },
  sources: ['ISO/IEC 7812-1:2017', 'https://en.wikipedia.org/wiki/Payment_card_number'],
};

function isCard(text: string, span: Span): boolean {
  if (goesOn(text, span.end)) return false;
  const digits = text.slice(span.start, span.end).replaceAll(/[ -]/gu, '');
  const length = cardLengthOf(digits);
  if (length === 'none' || !passesLuhn(digits) || documentedCards.has(digits) || isRepetition(digits)) return false;
  return length === 'usual' || hasNear(text, span, words);
}

/** Whether the number has begun before: fractions (`0.4111…`), other words, and lists of groups. */
function isWithinMore(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (isWord(before)) return !'nrt'.includes(text[at - 1] ?? ' ') || text[at - 2] !== '\\';
  return ' -.,+'.includes(text[at - 1] ?? '_') && isDigit(text.charCodeAt(at - 2));
}

/** Whether more of a number, or another group of four digits, stands behind it. A date of expiry does not count. */
function goesOn(text: string, end: number): boolean {
  if (isWord(text.charCodeAt(end))) return true;
  const next = text[end] ?? '_';
  if (next === '.' || next === ',') return isDigit(text.charCodeAt(end + 1)) && next === '.';
  return ' -'.includes(next) && [1, 2, 3, 4].every((place) => isDigit(text.charCodeAt(end + place)));
}

/** `4444444444444448`, `4007000000027`: written by hand. One of 100,000 cards has six zeros in a row. */
function isRepetition(digits: string): boolean {
  return new Set(digits).size < 4 || digits.includes('000000');
}
