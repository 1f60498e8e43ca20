import { chars } from '../../testing/material.ts';
import { passesLuhn } from '../../lib/luhn.ts';
import type { Samples } from '../../types.ts';

/** A number of so many digits with its check digit. */
function cardNumber(prefix: string, length: number): string {
  return cardOf(prefix + chars('digits', length - prefix.length - 1, prefix));
}

function cardOf(digits: string): string {
  return digits + ([...'0123456789'].find((last) => passesLuhn(digits + last)) ?? '');
}

function grouped(digits: string, separator: string): string {
  return digits.match(/.{1,4}/gu)?.join(separator) ?? '';
}

const visa = cardNumber('4539', 16);
/** Right, of an issuer, and of three digits. */
const handwritten = '4534534534544445';
const amex = cardNumber('3742', 15);

export const samples: Samples = {
  found: [
    ...['4539', '5105', '2301', '6011', '6512', '3530', '6212', '2202'].map((prefix) => ({ why: `16 digits from ${prefix}`, text: cardNumber(prefix, 16) })),
    { why: 'American Express', text: amex },
    { why: 'American Express in its groups', text: `${amex.slice(0, 4)} ${amex.slice(4, 10)} ${amex.slice(10)}` },
    { why: 'Diners Club', text: cardNumber('3612', 14) },
    { why: 'with blanks', text: grouped(visa, ' ') },
    { why: 'with dashes', text: grouped(visa, '-') },
    { why: 'before its date of expiry', text: grouped(visa, ' '), after: ' 12/29 123' },
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
    { why: 'a list of numbers', text: `1234 ${grouped(visa, ' ')}` },
    { why: 'a longer list of numbers', text: `${grouped(visa, ' ')} 1234` },
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
