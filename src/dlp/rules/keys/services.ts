import { endsFree, startsFree, formEnd } from '../lib/boundaries.ts';
import { isDigit, wordOrDash } from '../lib/characters.ts';
import { isPlaceholder } from '../lib/placeholders.ts';
import { prefixed } from '../lib/prefixed.ts';
import type { SecretRule } from '../types.ts';

export const airtable = prefixed({
  name: 'airtable-token',
  forms: [{ prefix: 'pat', body: /[0-9A-Za-z]{14}\.[0-9a-f]{64}/uy }],
  sources: ['https://airtable.com/developers/web/guides/personal-access-tokens'],
});

export const brevo = prefixed({
  name: 'brevo-key',
  forms: [{ prefix: 'xkeysib-', body: /[0-9a-f]{64}-[0-9A-Za-z]{16}/uy }],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

export const contentful = prefixed({
  name: 'contentful-token',
  forms: [{ prefix: 'CFPAT-', body: /[\w-]{43}/uy }],
  sources: ['https://www.contentful.com/developers/docs/references/authentication/'],
});

const token = /[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,40}/uy;
const numberOfUser = /^\d{17,20}$/u;

/**
 * The ID of a bot in base64, then a time and a signature. The base64 of digits allows only a few characters in each
 * position.
 */
export const discord: SecretRule = {
  name: 'discord-bot-token',
  leads: [['MNO', 'DTjz', 'AEIMQUYcgk', 'wxyz012345']],
  match(text, at) {
    if (!startsFree(text, at)) return undefined;
    const end = formEnd(token, text, at);
    if (end === undefined || !endsFree(text, end)) return undefined;
    const first = text.slice(at, text.indexOf('.', at));
    return numberOfUser.test(Buffer.from(first, 'base64url').toString('latin1')) ? { start: at, end } : undefined;
  },
  sources: [
    'https://docs.discord.com/developers/reference#authentication',
    'https://datatracker.ietf.org/doc/html/rfc4648#section-5',
  ],
};

export const discordWebhook = prefixed({
  name: 'discord-webhook',
  forms: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'].map((prefix) => ({
    prefix,
    body: /\d{17,20}\/[\w-]{60,80}/uy,
  })),
  sources: ['https://docs.discord.com/developers/resources/webhook'],
});

export const easypost = prefixed({
  name: 'easypost-key',
  forms: [{ prefix: 'EZAK', body: /[0-9A-Za-z]{54}/uy }],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

export const figma = prefixed({
  name: 'figma-token',
  forms: ['figd_', 'figoh_'].map((prefix) => ({ prefix, body: /[\w-]{40,200}/uy })),
  sources: [
    'https://www.figma.com/developers/api#access-tokens',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const hubspot = prefixed({
  name: 'hubspot-token',
  forms: [{ prefix: 'pat-', body: /(?:na|eu)[12]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/uy }],
  sources: ['https://developers.hubspot.com/docs/guides/apps/private-apps/overview'],
});

export const mailgun = prefixed({
  name: 'mailgun-key',
  forms: [{ prefix: 'key-', body: /[0-9a-f]{32}/uy }],
  sources: [
    'https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const notion = prefixed({
  name: 'notion-token',
  forms: [
    { prefix: 'ntn_', body: /\d{11}[0-9A-Za-z]{35}/uy },
    { prefix: 'secret_', body: /[0-9A-Za-z]{43}/uy, check: isMixed },
  ],
  sources: ['https://developers.notion.com/page/changelog', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});

export const prefect = prefixed({
  name: 'prefect-key',
  forms: ['pnu_', 'pnb_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{36}/uy })),
  sources: [
    'https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const resend = prefixed({
  name: 'resend-key',
  forms: [{ prefix: 're_', body: /[0-9A-Za-z]{8}_[0-9A-Za-z]{24}/uy }],
  sources: ['https://resend.com/docs/dashboard/api-keys/introduction'],
});

export const sendgrid = prefixed({
  name: 'sendgrid-key',
  forms: [{ prefix: 'SG.', body: /[\w-]{22}\.[\w-]{43}/uy }],
  sources: [
    'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const shopify = prefixed({
  name: 'shopify-token',
  forms: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'].map((prefix) => ({ prefix, body: /[0-9a-f]{32}/uy })),
  sources: [
    'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const slack = prefixed({
  name: 'slack-token',
  forms: [
    { prefix: 'xox', body: /[abeoprsdc](?:\.xox[bp])?-[0-9A-Za-z%-]{20,400}/uy },
    { prefix: 'xapp-', body: /\d-[0-9A-Z]{8,20}-\d{10,16}-[0-9a-f]{64}/uy },
    { prefix: 'hooks.slack.com/', body: /(?:services|workflows|triggers)\/[0-9A-Za-z/]{30,100}/uy },
  ],
  sources: ['https://api.slack.com/concepts/token-types', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});

export const square = prefixed({
  name: 'square-token',
  forms: [
    { prefix: 'sq0atp-', body: /[\w-]{22}/uy },
    { prefix: 'sq0csp-', body: /[\w-]{43}/uy },
  ],
  sources: [
    'https://developer.squareup.com/docs/build-basics/access-tokens',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const stripe = prefixed({
  name: 'stripe-key',
  forms: [
    ...['sk_live_', 'rk_live_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{24,120}/uy })),
    { prefix: 'whsec_', body: /[0-9A-Za-z+/]{32,64}/uy },
  ],
  sources: ['https://docs.stripe.com/keys', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});

const secret = /:AA[\w-]{33}/uy;
const fewestDigits = 8;
const mostDigits = 10;

/** The ID of a bot, a colon, and a secret that begins with `AA`. */
export const telegram: SecretRule = {
  name: 'telegram-bot-token',
  leads: [[':', 'A', 'A', wordOrDash]],
  match(text, at) {
    const end = formEnd(secret, text, at);
    if (end === undefined || !endsFree(text, end)) return undefined;
    let start = at;
    while (at - start < mostDigits && isDigit(text.charCodeAt(start - 1))) start -= 1;
    // URLs of the API have `bot` directly before the ID.
    const isFree = startsFree(text, start) || text.slice(start - 4, start) === '/bot';
    return !isFree || at - start < fewestDigits || isPlaceholder(text.slice(at, end)) ? undefined : { start, end };
  },
  sources: [
    'https://core.telegram.org/bots/features#botfather',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
};

export const twilio = prefixed({
  name: 'twilio-key',
  forms: [{ prefix: 'SK', body: /[0-9a-f]{32}/uy }],
  sources: [
    'https://www.twilio.com/docs/iam/api-keys',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

/**
 * Returns true if a value has digits and letters of both cases. All except one in 2000 random 43-character base62
 * values have them, but hardly any name in code has.
 */
export function isMixed(value: string): boolean {
  return /\d/u.test(value) && /[a-z]/u.test(value) && /[A-Z]/u.test(value);
}
