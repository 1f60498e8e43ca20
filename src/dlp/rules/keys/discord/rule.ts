import { endOf } from '../../lib/at.ts';
import { endsFree, startsFree } from '../../lib/boundaries.ts';
import { prefixed } from '../../lib/prefixed.ts';
import type { Rule } from '../../types.ts';

const token = /[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,40}/uy;
const numberOfUser = /^\d{17,20}$/u;

/** The number of a bot in base64, then a time and a signature. What three digits are in base64 is known for each of its characters. */
export const discord: Rule = {
  name: 'discord-bot-token',
  leads: [['MNO', 'DTjz', 'AEIMQUYcgk', 'wxyz012345']],
  match(text, at) {
    if (!startsFree(text, at)) return undefined;
    const end = endOf(token, text, at);
    if (end === undefined || !endsFree(text, end)) return undefined;
    const first = text.slice(at, text.indexOf('.', at));
    return numberOfUser.test(Buffer.from(first, 'base64url').toString('latin1')) ? { start: at, end } : undefined;
  },
  sources: ['https://docs.discord.com/developers/reference#authentication', 'https://datatracker.ietf.org/doc/html/rfc4648#section-5'],
};

export const discordWebhook = prefixed({
  name: 'discord-webhook',
  forms: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'].map((prefix) => ({ prefix, body: /\d{17,20}\/[\w-]{60,80}/uy })),
  sources: ['https://docs.discord.com/developers/resources/webhook'],
});
