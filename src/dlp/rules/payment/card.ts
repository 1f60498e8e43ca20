import { repeatedLead, hasNear } from '../lib/boundaries.ts';
import { digit, isDigit, isWord } from '../lib/characters.ts';
import { passesLuhn } from '../lib/remainders.ts';
import type { SecretRule, MatchSpan } from '../types.ts';

/** In one run, or in the groups that cards use: 4-4-4-4, 4-6-5 and 4-6-4, separated by one blank or dash. */
const plain = /\d{12,19}/uy;

/** A fifth group belongs to a number of 17 to 19 digits, or is the year or code after a number of 16. */
const grouped = [
  /\d{4}([ -])\d{4}\1\d{4}\1\d{4}\1\d{1,3}/uy,
  /\d{4}([ -])\d{4}\1\d{4}\1\d{4}/uy,
  /\d{4}([ -])\d{6}\1\d{4,5}/uy,
];

const words = /card|visa|maestro|mastercard|amex|discover|unionpay|karte|carte|tarjeta|\bpan\b|credit|debit/u;

/**
 * A card number. Its issuer, length and check digit are right, and it is not part of a longer number or of a list of
 * numbers.
 */
export const card: SecretRule = {
  name: 'card-number',
  leads: [['23456', ...repeatedLead(digit, 3)]],
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

/**
 * Test numbers of payment services. They cannot be charged, and occur in much source code. Sources:
 * https://docs.stripe.com/testing, https://docs.adyen.com/development-resources/testing/test-card-numbers,
 * https://developer.paypal.com/tools/sandbox/card-testing/,
 * https://developer.paypal.com/braintree/docs/reference/general/testing
 */
const documentedCards: ReadonlySet<string> = new Set([
  '4242424242424242',
  '4000056655665556',
  '5555555555554444',
  '2223003122003222',
  '5200828282828210',
  '5105105105105100',
  '378282246310005',
  '371449635398431',
  '378734493671000',
  '6011111111111117',
  '6011000990139424',
  '6011981111111113',
  '3056930009020004',
  '36227206271667',
  '30569309025904',
  '38520000023237',
  '3566002020360505',
  '3530111333300000',
  '6200000000000005',
  '6200000000000047',
  '6205500000000000004',
  '4111111111111111',
  '4012888888881881',
  '4222222222222',
  '4012000033330026',
  '4012000077777777',
  '4005519200000004',
  '4009348888881881',
  '4500600000000061',
  '4500600000000061',
  '4217651111111119',
  '4000000000000002',
  '4000000000000077',
  '4000000000000093',
  '4000000000000010',
  '4000000000000028',
  '4000000000000036',
  '4000000000000044',
  '4000000000000069',
  '4000000000000101',
  '4000000000000119',
  '4000000000000127',
  '4000000000000259',
  '4000000000000341',
  '4000000000003220',
  '4000000000009235',
  '4000000000009979',
  '4000000000009987',
  '4000000000009995',
  '4000002500003155',
  '4000002760003184',
  '4000003800000446',
  '4000008260003178',
  '4000008400001629',
  '4100000000000019',
  '4900000000000086',
  '5431111111111111',
  '5425233430109903',
  '5105105105105100',
  '2222420000001113',
  '2222990905257051',
  '2223000048410010',
  '2223520043560014',
  '2720992593319364',
  '5577000055770004',
  '5100290029002909',
  '5136333333333335',
  '5585558555855583',
  '5454545454545454',
  '6771798021000008',
  '6011601160116611',
  '6445644564456445',
  '3700000000000002',
  '370000000000002',
  '3569990010095841',
  '36006666333344',
  '4988438843884305',
  '4166676667666746',
  '4646464646464644',
  '4000620000000007',
  '4000060000000006',
  '4293189100000008',
  '4917610000000000',
  '4484600000000004',
  '4977949494949497',
  '4607000000000009',
  '5500000000000004',
  '340000000000009',
  '30000000000004',
  '3000000000000004',
  '6304000000000000',
  '5019717010103742',
]);

/**
 * Sources: ISO/IEC 7812; https://en.wikipedia.org/wiki/Payment_card_number (ranges as the networks publish them, read
 * in 2026).
 */
const issuers: readonly Issuer[] = [
  { name: 'Visa', ranges: [['4', '4']], lengths: [16], rareLengths: [13, 19] },
  {
    name: 'Mastercard',
    ranges: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16],
  },
  {
    name: 'American Express',
    ranges: [
      ['34', '34'],
      ['37', '37'],
    ],
    lengths: [15],
  },
  {
    name: 'Discover',
    ranges: [
      ['6011', '6011'],
      ['644', '649'],
      ['65', '65'],
    ],
    lengths: [16],
    rareLengths: [17, 18, 19],
  },
  {
    name: 'Diners Club',
    ranges: [
      ['300', '305'],
      ['3095', '3095'],
      ['36', '36'],
      ['38', '39'],
    ],
    lengths: [14],
    rareLengths: [16, 17, 18, 19],
  },
  { name: 'JCB', ranges: [['3528', '3589']], lengths: [16], rareLengths: [17, 18, 19] },
  { name: 'UnionPay', ranges: [['62', '62']], lengths: [16], rareLengths: [17, 18, 19] },
  {
    name: 'Maestro',
    ranges: [
      ['5018', '5018'],
      ['5020', '5020'],
      ['5038', '5038'],
      ['5893', '5893'],
      ['6304', '6304'],
      ['6759', '6759'],
      ['6761', '6763'],
    ],
    lengths: [16],
    rareLengths: [12, 13, 14, 15, 17, 18, 19],
  },
  { name: 'Mir', ranges: [['2200', '2204']], lengths: [16], rareLengths: [17, 18, 19] },
];

function isCard(text: string, span: MatchSpan): boolean {
  if (goesOn(text, span.end)) return false;
  const digits = text.slice(span.start, span.end).replaceAll(/[ -]/gu, '');
  const length = cardLengthOf(digits);
  if (length === 'none' || !passesLuhn(digits) || documentedCards.has(digits) || isRepetition(digits)) return false;
  return length === 'usual' || hasNear(text, span, words);
}

/** Returns true if the number began earlier: in fractions (`0.4111…`), other words, and lists of groups. */
function isWithinMore(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (isWord(before)) return !'nrt'.includes(text[at - 1] ?? ' ') || text[at - 2] !== '\\';
  return ' -.,+'.includes(text[at - 1] ?? '_') && isDigit(text.charCodeAt(at - 2));
}

/** Returns true if more digits, or another group of four digits, follow. An expiry date does not count. */
function goesOn(text: string, end: number): boolean {
  if (isWord(text.charCodeAt(end))) return true;
  const next = text[end] ?? '_';
  if (next === '.' || next === ',') return isDigit(text.charCodeAt(end + 1)) && next === '.';
  return ' -'.includes(next) && [1, 2, 3, 4].every((place) => isDigit(text.charCodeAt(end + place)));
}

/**
 * Returns true for handwritten numbers such as `4444444444444448` and `4007000000027`. Only one card in 100,000 has six
 * zeros in a row.
 */
function isRepetition(digits: string): boolean {
  return new Set(digits).size < 4 || digits.includes('000000');
}

interface Issuer {
  readonly name: string;
  /** First and last prefix of a range. Both have the same length. */
  readonly ranges: readonly (readonly [string, string])[];
  /** Usual lengths. Numbers of these lengths are found even if no word about cards is near them. */
  readonly lengths: readonly number[];
  readonly rareLengths?: readonly number[];
}

type CardLength = 'usual' | 'rare' | 'none';

/** Returns how common the length of a number is among the cards of its issuer. */
export function cardLengthOf(digits: string): CardLength {
  const found = issuers.filter(({ ranges }) =>
    ranges.some(([first, last]) => isWithin(digits.slice(0, first.length), first, last)),
  );
  if (found.some(({ lengths }) => lengths.includes(digits.length))) return 'usual';
  return found.some(({ rareLengths }) => rareLengths?.includes(digits.length) === true) ? 'rare' : 'none';
}

function isWithin(prefix: string, first: string, last: string): boolean {
  return prefix >= first && prefix <= last;
}
