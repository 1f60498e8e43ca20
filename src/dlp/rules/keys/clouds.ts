import { endsFree, literalLead, startsFree, formEnd } from '../lib/boundaries.ts';
import { digit, wordOrDash } from '../lib/characters.ts';
import { entropyOf, isPlaceholder } from '../lib/placeholders.ts';
import { prefixed } from '../lib/prefixed.ts';
import type { SecretRule } from '../types.ts';

export const aws = prefixed({
  name: 'aws-key',
  forms: [
    ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((prefix) => ({ prefix, body: /[A-Z2-7]{16}/uy })),
    { prefix: 'ABSK', body: /[0-9A-Za-z+/]{109,269}={0,2}/uy },
  ],
  sources: [
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

/** The key has no prefix, so its name must precede it. */
const leads = [
  'ecret_access_key',
  'ecretAccessKey',
  'ECRET_ACCESS_KEY',
  'ecret-access-key',
  'aws_secret_key',
  'AWS_SECRET_KEY',
  'awsSecretKey',
];
const separator = /["'`\\\]]{0,3}[ \t]{0,4}(?:=>|:=|[:=,>])[ \t\n]{0,8}["'`\\]{0,3}/uy;
const value = /[0-9A-Za-z/+]{40}(?![0-9A-Za-z/+=])/uy;

/** 40 random characters of base64 have an entropy of about 4.8 bits. */
const leastEntropy = 4;

export const awsSecret: SecretRule = {
  name: 'aws-secret-key',
  leads: leads.map(literalLead),
  match(text, at) {
    const lead = leads.find((each) => text.startsWith(each, at)) ?? '';
    const start = formEnd(separator, text, at + lead.length);
    const end = start === undefined ? undefined : formEnd(value, text, start);
    if (start === undefined || end === undefined) return undefined;
    const secret = text.slice(start, end);
    return isPlaceholder(secret) || entropyOf(secret) < leastEntropy ? undefined : { start, end };
  },
  sources: [
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
};

const before = 3;
const form = /[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/uy;

/** The secret of an application in Microsoft Entra. Its fourth character is a digit, and `Q~` follows. */
export const azureClient: SecretRule = {
  name: 'azure-client-secret',
  leads: [[digit, 'Q', '~', `${wordOrDash}.~`]],
  match(text, at) {
    const start = at - before;
    const end = start < 0 ? undefined : formEnd(form, text, start);
    if (end === undefined || !startsFree(text, start) || !endsFree(text, end)) return undefined;
    return isPlaceholder(text.slice(start, end)) ? undefined : { start, end };
  },
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
};

export const azureStorage = prefixed({
  name: 'azure-storage-key',
  forms: [
    { prefix: 'AccountKey=', body: /[0-9A-Za-z+/]{86}==/uy },
    { prefix: 'SharedAccessKey=', body: /[0-9A-Za-z+/]{43}=/uy },
  ],
  sources: ['https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string'],
});

export const cloudflare = prefixed({
  name: 'cloudflare-token',
  forms: [
    ...['cfk_', 'cfut_', 'cfat_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{40}[0-9a-f]{8}/uy })),
    { prefix: 'v1.0-', body: /[0-9a-f]{24}-[0-9a-f]{146}/uy },
  ],
  sources: [
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const databricks = prefixed({
  name: 'databricks-token',
  forms: [{ prefix: 'dapi', body: /[0-9a-f]{32}(?:-\d)?/uy }],
  sources: [
    'https://docs.databricks.com/dev-tools/auth/pat.html',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const digitalocean = prefixed({
  name: 'digitalocean-token',
  forms: ['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => ({ prefix, body: /[0-9a-f]{64}/uy })),
  sources: [
    'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const doppler = prefixed({
  name: 'doppler-token',
  forms: [
    { prefix: 'dp.', body: /(?:pt|ct|sa|scim|audit)\.[0-9A-Za-z]{40,44}/uy },
    { prefix: 'dp.st.', body: /(?:[a-z\d_-]{2,35}\.)?[0-9A-Za-z]{40,44}/uy },
  ],
  sources: ['https://docs.doppler.com/docs/access-tokens-overview'],
});

export const fly = prefixed({
  name: 'fly-token',
  forms: [
    { prefix: 'fm2_', body: /[0-9A-Za-z+/]{100,1000}={0,3}/uy },
    { prefix: 'fo1_', body: /[\w-]{43}/uy },
  ],
  sources: [
    'https://fly.io/docs/security/tokens/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const google = prefixed({
  name: 'google-key',
  forms: [
    { prefix: 'AIza', body: /[\w-]{35}/uy },
    { prefix: 'GOCSPX-', body: /[\w-]{28}/uy },
    { prefix: 'ya29.', body: /[\w-]{50,1000}/uy },
    { prefix: '1//', body: /0[\w-]{40,200}/uy },
  ],
  sources: [
    'https://cloud.google.com/docs/authentication/api-keys',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const heroku = prefixed({
  name: 'heroku-key',
  forms: [{ prefix: 'HRKU-', body: /(?:AA[\w-]{58}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/uy }],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

export const neon = prefixed({
  name: 'neon-key',
  forms: [{ prefix: 'napi_', body: /[0-9a-z]{64}/uy }],
  sources: ['https://neon.com/docs/manage/api-keys'],
});

export const netlify = prefixed({
  name: 'netlify-token',
  forms: [{ prefix: 'nfp_', body: /[0-9A-Za-z]{36}/uy }],
  sources: ['https://docs.netlify.com/api/get-started/'],
});

export const onePassword = prefixed({
  name: 'one-password-key',
  forms: [
    { prefix: 'ops_', body: /eyJ[0-9A-Za-z+/=]{100,1500}/uy },
    {
      prefix: 'A3-',
      body: /[A-Z2-9]{6}-(?:[A-Z2-9]{11}|[A-Z2-9]{6}-[A-Z2-9]{5})-[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/uy,
    },
  ],
  sources: [
    'https://developer.1password.com/docs/service-accounts/',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const planetscale = prefixed({
  name: 'planetscale-key',
  forms: [{ prefix: 'pscale_', body: /(?:tkn|pw|oauth)_[\w.-]{32,64}/uy }],
  sources: [
    'https://planetscale.com/docs/api/planetscale-api-oauth-applications',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const pulumi = prefixed({
  name: 'pulumi-token',
  forms: [{ prefix: 'pul-', body: /[0-9a-f]{40}/uy }],
  sources: [
    'https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const supabase = prefixed({
  name: 'supabase-key',
  forms: [
    { prefix: 'sbp_', body: /[0-9a-f]{40}/uy },
    { prefix: 'sb_secret_', body: /[\w-]{22}_[\w-]{8}/uy },
  ],
  sources: ['https://supabase.com/docs/guides/api/api-keys'],
});

export const tailscale = prefixed({
  name: 'tailscale-key',
  forms: [{ prefix: 'tskey-', body: /(?:api|auth|client|scim|webhook)-[0-9A-Za-z]{8,40}-[0-9A-Za-z]{16,60}/uy }],
  sources: ['https://tailscale.com/kb/1277/key-prefixes', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});

export const vault = prefixed({
  name: 'vault-token',
  forms: [
    ...['hvs.', 'hvr.'].map((prefix) => ({ prefix, body: /[\w-]{90,300}/uy })),
    { prefix: 'hvb.', body: /[\w-]{138,400}/uy },
    { prefix: 'hvs.', body: /[0-9A-Za-z]{24}/uy },
  ],
  sources: [
    'https://developer.hashicorp.com/vault/docs/concepts/tokens',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const vercel = prefixed({
  name: 'vercel-token',
  forms: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{20,60}/uy })),
  sources: ['https://vercel.com/docs/rest-api', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
