import {
  aws,
  awsSecret,
  azureClient,
  azureStorage,
  cloudflare,
  databricks,
  digitalocean,
  doppler,
  fly,
  google,
  heroku,
  neon,
  netlify,
  onePassword,
  planetscale,
  pulumi,
  supabase,
  tailscale,
  vault,
  vercel,
} from './keys/clouds.ts';
import {
  atlassian,
  buildkite,
  circleci,
  clojars,
  crates,
  docker,
  dynatrace,
  github,
  gitlab,
  grafana,
  linear,
  newRelic,
  npm,
  posthog,
  postman,
  pypi,
  rubygems,
  sentry,
  sonar,
  sourcegraph,
} from './keys/development.ts';
import {
  anthropic,
  cerebras,
  deepseek,
  elevenlabs,
  groq,
  huggingFace,
  langfuse,
  langsmith,
  nvidia,
  openai,
  openrouter,
  perplexity,
  replicate,
  togetherKey,
  xai,
} from './keys/language-models.ts';
import {
  airtable,
  brevo,
  contentful,
  discord,
  discordWebhook,
  easypost,
  figma,
  hubspot,
  mailgun,
  notion,
  prefect,
  resend,
  sendgrid,
  shopify,
  slack,
  square,
  stripe,
  telegram,
  twilio,
} from './keys/services.ts';
import { formEnd } from './lib/at.ts';
import { endsFree, literalLead, startsFree } from './lib/boundaries.ts';
import { alphanumeric } from './lib/characters.ts';
import { isPlaceholder } from './lib/placeholders.ts';
import { payment } from './payment/index.ts';
import { personal } from './personal/index.ts';
import { pem } from './private-keys/pem/rule.ts';
import type { SecretRule } from './types.ts';

export { compilePattern, type CompiledPattern } from './custom/compile-pattern.ts';
export type { RuleLead, SecretRule, MatchSpan } from './types.ts';

/**
 * A signed token has three parts. An encrypted one has five, and its second part is empty if the key was agreed upon.
 */
const header = /eyJ[\w-]{10,2000}\./uy;

const signed = /[\w-]{2,8000}\.[\w-]{20,1500}/uy;

const encrypted = /[\w-]{0,1500}\.[\w-]{8,64}\.[\w-]{1,8000}\.[\w-]{16,64}/uy;

/**
 * A token whose header is JSON and names an algorithm. An unsigned token (`none`) proves nothing, and is not secret.
 */
export const jwt: SecretRule = {
  name: 'json-web-token',
  leads: [[...'eyJ', alphanumeric]],
  match(text, at) {
    if (!startsFree(text, at)) return undefined;
    const behindHeader = formEnd(header, text, at);
    if (behindHeader === undefined) return undefined;
    const end = formEnd(encrypted, text, behindHeader) ?? formEnd(signed, text, behindHeader);
    return end !== undefined && namesAlgorithm(text.slice(at, behindHeader - 1)) ? { start: at, end } : undefined;
  },
  sources: [
    'https://www.rfc-editor.org/rfc/rfc7515#section-4.1.1',
    'https://www.rfc-editor.org/rfc/rfc7516#section-3.1',
  ],
};

const tokens: readonly SecretRule[] = [jwt];

const form = /AGE-SECRET-KEY-1[0-9A-Z]{58}/uy;

export const age: SecretRule = {
  name: 'age-secret-key',
  leads: [literalLead('AGE-SECRET-KEY-1')],
  match(text, at) {
    const end = formEnd(form, text, at);
    const isOne =
      end !== undefined && startsFree(text, at) && endsFree(text, end) && isBech32(text.slice(at, end).toLowerCase());
    return isOne ? { start: at, end } : undefined;
  },
  sources: [
    'https://github.com/C2SP/C2SP/blob/main/age.md',
    'https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki',
  ],
};

const names = ['PrivateKey', 'PresharedKey'];

const separator = /[ \t]{0,4}=[ \t]{0,4}/uy;

const value = /[0-9A-Za-z+/]{43}=(?![0-9A-Za-z+/=])/uy;

/** A key of a WireGuard tunnel, found by its name in the configuration. */
export const wireguard: SecretRule = {
  name: 'wireguard-key',
  leads: names.map(literalLead),
  match(text, at) {
    const name = names.find((each) => text.startsWith(each, at)) ?? '';
    const start = formEnd(separator, text, at + name.length);
    const end = start === undefined ? undefined : formEnd(value, text, start);
    if (start === undefined || end === undefined) return undefined;
    return isPlaceholder(text.slice(start, end)) ? undefined : { start, end };
  },
  sources: ['https://man7.org/linux/man-pages/man8/wg.8.html'],
};

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

const lead = 'Private-Lines: ';

const count = /Private-Lines: \d{1,3}(?:\r?\n|\\n)/uy;

const line = /[0-9A-Za-z+/=]{4,64}(?:\r?\n|\\n)?/uy;

const mostLines = 400;

const fewestCharacters = 40;

/** The private part of a PuTTY key file. */
export const putty: SecretRule = {
  name: 'putty-private-key',
  leads: [literalLead(lead)],
  match(text, at) {
    const start = formEnd(count, text, at);
    if (start === undefined) return undefined;
    const end = endOfLines(text, start);
    const body = text.slice(start, end);
    return body.length < fewestCharacters || isPlaceholder(body) ? undefined : { start: at, end };
  },
  sources: ['https://the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html'],
};

const privateKeys: readonly SecretRule[] = [pem, putty, age, wireguard];

/** Keys that name their vendor by their form. */
const keys: readonly SecretRule[] = [
  airtable,
  anthropic,
  atlassian,
  aws,
  awsSecret,
  azureClient,
  azureStorage,
  brevo,
  buildkite,
  cerebras,
  circleci,
  clojars,
  cloudflare,
  contentful,
  crates,
  databricks,
  deepseek,
  digitalocean,
  discord,
  discordWebhook,
  docker,
  doppler,
  dynatrace,
  easypost,
  elevenlabs,
  figma,
  fly,
  github,
  gitlab,
  google,
  grafana,
  groq,
  heroku,
  hubspot,
  huggingFace,
  langfuse,
  langsmith,
  linear,
  mailgun,
  neon,
  netlify,
  newRelic,
  notion,
  prefect,
  npm,
  nvidia,
  onePassword,
  openai,
  openrouter,
  perplexity,
  planetscale,
  posthog,
  postman,
  pulumi,
  pypi,
  replicate,
  resend,
  rubygems,
  sendgrid,
  sentry,
  shopify,
  slack,
  sonar,
  sourcegraph,
  square,
  stripe,
  supabase,
  tailscale,
  telegram,
  togetherKey,
  twilio,
  vault,
  vercel,
  xai,
];

/** Rules that are enabled together. */
export const rulePacks = { keys, 'private-keys': privateKeys, tokens, payment, personal } as const satisfies Readonly<
  Record<string, readonly SecretRule[]>
>;

export type RulePackName = keyof typeof rulePacks;

/** All packs except `personal`, because many programs process people's names and numbers. */
export const defaultRules: readonly SecretRule[] = [...keys, ...privateKeys, ...tokens, ...payment];

function namesAlgorithm(header: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    return (
      typeof value === 'object' &&
      value !== null &&
      'alg' in value &&
      typeof value.alg === 'string' &&
      value.alg !== 'none'
    );
  } catch {
    return false;
  }
}

/** Returns true if a text in lower case ends with its own six-character checksum. Source: BIP 173. */
export function isBech32(text: string): boolean {
  const separator = text.lastIndexOf('1');
  const values = valuesOf(text.slice(separator + 1));
  return (
    separator > 0 &&
    values.length >= 6 &&
    !values.includes(-1) &&
    polymod([...expanded(text.slice(0, separator)), ...values]) === 1
  );
}

/** Returns the six checksum characters for a prefix and the data after the separator. */
export function bech32Checksum(prefix: string, data: string): string {
  const rest = polymod([...expanded(prefix), ...valuesOf(data), 0, 0, 0, 0, 0, 0]) ^ 1;
  return Array.from({ length: 6 }, (_, place) => alphabet[(rest >>> (5 * (5 - place))) & 31] ?? '').join('');
}

function valuesOf(data: string): readonly number[] {
  return [...data].map((character) => alphabet.indexOf(character));
}

function expanded(prefix: string): readonly number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  let rest = 1;
  for (const value of values) {
    const top = rest >>> 25;
    rest = ((rest & 0x1ffffff) << 5) ^ value;
    for (const [place, term] of generator.entries()) rest ^= (top >>> place) & 1 ? term : 0;
  }
  return rest >>> 0;
}

function endOfLines(text: string, start: number): number {
  let at = start;
  for (let count = 0; count < mostLines; count += 1) {
    const end = formEnd(line, text, at);
    // The text that follows is a name and a colon: `Private-MAC: …`.
    if (end === undefined || text[end] === '-' || text[end] === ':') return at;
    at = end;
  }
  return at;
}
