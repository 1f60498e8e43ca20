import { endOf } from '../../lib/at.ts';
import { endsFree, startsFree } from '../../lib/boundaries.ts';
import { isDigit, wordOrDash } from '../../lib/characters.ts';
import { isPlaceholder } from '../../lib/placeholders.ts';
import type { Rule } from '../../types.ts';

const secret = /:AA[\w-]{33}/uy;
const fewestDigits = 8;
const mostDigits = 10;

/** The number of a bot, a colon, and a secret that begins with `AA`. */
export const telegram: Rule = {
  name: 'telegram-bot-token',
  leads: [[':', 'A', 'A', wordOrDash]],
  match(text, at) {
    const end = endOf(secret, text, at);
    if (end === undefined || !endsFree(text, end)) return undefined;
    let start = at;
    while (at - start < mostDigits && isDigit(text.charCodeAt(start - 1))) start -= 1;
    // In the addresses of its interface `bot` stands right before the number.
    const isFree = startsFree(text, start) || text.slice(start - 4, start) === '/bot';
    return !isFree || at - start < fewestDigits || isPlaceholder(text.slice(at, end)) ? undefined : { start, end };
  },
  sources: ['https://core.telegram.org/bots/features#botfather', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
};
