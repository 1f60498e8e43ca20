import { endOf } from '../../lib/at.ts';
import { literal } from '../../lib/leads.ts';
import { isPlaceholder } from '../../lib/placeholders.ts';
import type { Rule } from '../../types.ts';

const names = ['PrivateKey', 'PresharedKey'];
const separator = /[ \t]{0,4}=[ \t]{0,4}/uy;
const value = /[0-9A-Za-z+/]{43}=(?![0-9A-Za-z+/=])/uy;

/** A key of a tunnel, by its name in the configuration. */
export const wireguard: Rule = {
  name: 'wireguard-key',
  leads: names.map(literal),
  match(text, at) {
    const name = names.find((each) => text.startsWith(each, at)) ?? '';
    const start = endOf(separator, text, at + name.length);
    const end = start === undefined ? undefined : endOf(value, text, start);
    if (start === undefined || end === undefined) return undefined;
    return isPlaceholder(text.slice(start, end)) ? undefined : { start, end };
  },
  sources: ['https://man7.org/linux/man-pages/man8/wg.8.html'],
};
