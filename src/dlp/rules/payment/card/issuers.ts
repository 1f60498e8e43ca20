interface Issuer {
  readonly name: string;
  /** First and last prefix of a range, of the same length. */
  readonly ranges: readonly (readonly [string, string])[];
  /** Lengths that most cards have: these are found without a word about cards near them. */
  readonly lengths: readonly number[];
  readonly rareLengths?: readonly number[];
}

/** Sources: ISO/IEC 7812; https://en.wikipedia.org/wiki/Payment_card_number (ranges as the networks publish them, read in 2026). */
const issuers: readonly Issuer[] = [
  { name: 'Visa', ranges: [['4', '4']], lengths: [16], rareLengths: [13, 19] },
  { name: 'Mastercard', ranges: [['51', '55'], ['2221', '2720']], lengths: [16] },
  { name: 'American Express', ranges: [['34', '34'], ['37', '37']], lengths: [15] },
  { name: 'Discover', ranges: [['6011', '6011'], ['644', '649'], ['65', '65']], lengths: [16], rareLengths: [17, 18, 19] },
  { name: 'Diners Club', ranges: [['300', '305'], ['3095', '3095'], ['36', '36'], ['38', '39']], lengths: [14], rareLengths: [16, 17, 18, 19] },
  { name: 'JCB', ranges: [['3528', '3589']], lengths: [16], rareLengths: [17, 18, 19] },
  { name: 'UnionPay', ranges: [['62', '62']], lengths: [16], rareLengths: [17, 18, 19] },
  { name: 'Maestro', ranges: [['5018', '5018'], ['5020', '5020'], ['5038', '5038'], ['5893', '5893'], ['6304', '6304'], ['6759', '6759'], ['6761', '6763']], lengths: [16], rareLengths: [12, 13, 14, 15, 17, 18, 19] },
  { name: 'Mir', ranges: [['2200', '2204']], lengths: [16], rareLengths: [17, 18, 19] },
];

export type CardLength = 'usual' | 'rare' | 'none';

/** What a number of so many digits is among the cards of its issuer. */
export function cardLengthOf(digits: string): CardLength {
  const found = issuers.filter(({ ranges }) => ranges.some(([first, last]) => isWithin(digits.slice(0, first.length), first, last)));
  if (found.some(({ lengths }) => lengths.includes(digits.length))) return 'usual';
  return found.some(({ rareLengths }) => rareLengths?.includes(digits.length) === true) ? 'rare' : 'none';
}

function isWithin(prefix: string, first: string, last: string): boolean {
  return prefix >= first && prefix <= last;
}
