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
import { startsFree, formEnd } from './lib/boundaries.ts';
import { alphanumeric } from './lib/characters.ts';
import { card } from './payment/card.ts';
import { iban } from './payment/iban.ts';
import { personal } from './personal/index.ts';
import { age, putty, wireguard } from './private-keys/formats.ts';
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

const payment: readonly SecretRule[] = [card, iban];

/** Rules that are enabled together. */
export const rulePacks = { keys, 'private-keys': privateKeys, tokens, payment, personal } as const satisfies Readonly<
  Record<string, readonly SecretRule[]>
>;

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
