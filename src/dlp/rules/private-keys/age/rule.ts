import { endOf } from '../../lib/at.ts';
import { isBech32 } from '../../lib/bech32.ts';
import { endsFree, startsFree } from '../../lib/boundaries.ts';
import { literal } from '../../lib/leads.ts';
import type { Rule } from '../../types.ts';

const form = /AGE-SECRET-KEY-1[0-9A-Z]{58}/uy;

export const age: Rule = {
  name: 'age-secret-key',
  leads: [literal('AGE-SECRET-KEY-1')],
  match(text, at) {
    const end = endOf(form, text, at);
    const isOne = end !== undefined && startsFree(text, at) && endsFree(text, end) && isBech32(text.slice(at, end).toLowerCase());
    return isOne ? { start: at, end } : undefined;
  },
  sources: ['https://github.com/C2SP/C2SP/blob/main/age.md', 'https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki'],
};
