import { passesLuhn, remainderOf } from '../lib/remainders.ts';
import { chars } from './material.ts';
import type { Samples } from '../types.ts';

/** A number with this many digits and its check digit. */
function cardNumber(prefix: string, length: number): string {
  return cardOf(prefix + chars('digits', length - prefix.length - 1, prefix));
}

function cardOf(digits: string): string {
  return digits + ([...'0123456789'].find((last) => passesLuhn(digits + last)) ?? '');
}

function cardGrouped(digits: string, separator: string): string {
  return digits.match(/.{1,4}/gu)?.join(separator) ?? '';
}

const visa = cardNumber('4539', 16);
/** Right, of an issuer, and of three digits. */
const handwritten = '4534534534544445';
const amex = cardNumber('3742', 15);

export const cardSamples: Samples = {
  found: [
    ...['4539', '5105', '2301', '6011', '6512', '3530', '6212', '2202'].map((prefix) => ({
      why: `16 digits from ${prefix}`,
      text: cardNumber(prefix, 16),
    })),
    { why: 'American Express', text: amex },
    { why: 'American Express in its groups', text: `${amex.slice(0, 4)} ${amex.slice(4, 10)} ${amex.slice(10)}` },
    { why: 'Diners Club', text: cardNumber('3612', 14) },
    { why: 'with blanks', text: cardGrouped(visa, ' ') },
    { why: 'with dashes', text: cardGrouped(visa, '-') },
    { why: 'before its date of expiry', text: cardGrouped(visa, ' '), after: ' 12/29 123' },
    { why: 'of 19 digits with a word', before: 'Maestro card ', text: cardNumber('6759', 19) },
  ],
  ignored: [
    { why: 'another check digit', text: `${visa.slice(0, -1)}${(Number(visa.at(-1)) + 1) % 10}` },
    { why: 'for tests', text: `${'4242'.repeat(4)}` },
    { why: 'for tests, with blanks', text: '4111 1111 1111 1111' },
    { why: 'of many documents', text: '4012888888881881' },
    { why: 'of few digits, which somebody wrote by hand', text: handwritten },
    { why: 'written by hand', text: '6450000000000002' },
    { why: 'a fraction', text: `0.${visa}` },
    { why: 'within a longer number', text: `17${visa}` },
    { why: 'before the digits of a fraction', text: `${visa}.25` },
    { why: 'a list of numbers', text: `1234 ${cardGrouped(visa, ' ')}` },
    { why: 'a longer list of numbers', text: `${cardGrouped(visa, ' ')} 1234` },
    { why: 'no issuer', text: cardNumber('9999', 16) },
    { why: 'no issuer, with a word', before: 'card ', text: cardNumber('2799', 16) },
    { why: 'a length that its issuer does not have, with a word', before: 'card ', text: cardNumber('3742', 16) },
    { why: 'a sum', before: '2+', text: visa },
    { why: 'behind a comma', before: '2,', text: visa },
    { why: 'of 19 digits and no word', text: cardNumber('6759', 19) },
    { why: 'groups of other lengths', text: `${visa.slice(0, 5)} ${visa.slice(5)}` },
    { why: 'two separators', text: `${visa.slice(0, 4)}-${visa.slice(4, 8)} ${visa.slice(8, 12)}-${visa.slice(12)}` },
  ],
};

/** An account of a country, with its check digits. */
function ibanOf(country: string, account: string): string {
  const check = 98 - remainderOf(`${account}${country}00`, 97);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

function grouped(text: string): string {
  return text.match(/.{1,4}/gu)?.join(' ') ?? '';
}

const german = ibanOf('DE', chars('digits', 18));
const british = ibanOf('GB', `NWBK${chars('digits', 14)}`);

export const samples: Samples = {
  found: [
    { why: 'Germany', text: german },
    { why: 'Germany, in groups', text: grouped(german) },
    { why: 'the United Kingdom', text: british },
    { why: 'the United Kingdom, in groups', text: grouped(british) },
    { why: 'France', text: ibanOf('FR', chars('digits', 23)) },
    { why: 'Norway, the shortest', text: ibanOf('NO', chars('digits', 11)) },
    { why: 'Malta', text: ibanOf('MT', `MALT${chars('digits', 5)}${chars('upper-base36', 18)}`) },
    { why: 'in a sentence', before: 'Pay to ', text: ibanOf('NL', `ABNA${chars('digits', 10)}`), after: ', please.' },
  ],
  ignored: [
    { why: 'other check digits', text: `DE00${german.slice(4)}` },
    {
      why: 'check digits that are one too few',
      text: `DE${String(Number(german.slice(2, 4)) - 1).padStart(2, '0')}${german.slice(4)}`,
    },
    { why: 'of a document', text: 'GB82WEST12345698765432' },
    { why: 'of a document, in groups', text: 'DE89 3704 0044 0532 0130 00' },
    { why: 'written by hand', text: ibanOf('DE', '000000000000000012') },
    { why: 'too short', text: german.slice(0, -1) },
    { why: 'too long', text: `${german}1` },
    { why: 'no country', text: `ZZ${german.slice(2)}` },
    { why: 'within a word', text: `ID${german}` },
    { why: 'groups of other lengths', text: `${german.slice(0, 4)} ${german.slice(4, 9)} ${german.slice(9)}` },
  ],
};
