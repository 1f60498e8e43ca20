import { remainderOf } from '../../lib/remainders.ts';
import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

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
    { why: 'check digits that are one too few', text: `DE${String(Number(german.slice(2, 4)) - 1).padStart(2, '0')}${german.slice(4)}` },
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
