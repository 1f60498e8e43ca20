import { endOf } from '../../lib/at.ts';
import { endsFree, startsFree } from '../../lib/boundaries.ts';
import { digit, wordOrDash } from '../../lib/characters.ts';
import { isPlaceholder } from '../../lib/placeholders.ts';
import type { Rule } from '../../types.ts';

const before = 3;
const form = /[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/uy;

/** The secret of an application in Microsoft Entra. Its fourth character is a digit, and `Q~` stands behind it. */
export const azureClient: Rule = {
  name: 'azure-client-secret',
  leads: [[digit, 'Q', '~', `${wordOrDash}.~`]],
  match(text, at) {
    const start = at - before;
    const end = start < 0 ? undefined : endOf(form, text, start);
    if (end === undefined || !startsFree(text, start) || !endsFree(text, end)) return undefined;
    return isPlaceholder(text.slice(start, end)) ? undefined : { start, end };
  },
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
};
