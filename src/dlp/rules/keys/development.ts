import { crc32 } from 'node:zlib';
import { prefixed } from '../lib/prefixed.ts';

export const atlassian = prefixed({
  name: 'atlassian-token',
  forms: ['ATATT3xFfGF0', 'ATCTT3xFfGN0'].map((prefix) => ({ prefix, body: /[\w=-]{150,250}/uy })),
  sources: [
    'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const buildkite = prefixed({
  name: 'buildkite-token',
  forms: [{ prefix: 'bkua_', body: /[0-9a-f]{40}/uy }],
  sources: ['https://buildkite.com/docs/apis/managing-api-tokens'],
});

export const circleci = prefixed({
  name: 'circleci-token',
  forms: [{ prefix: 'CCIPAT_', body: /[0-9A-Za-z]{22}_[0-9a-f]{40}/uy }],
  sources: ['https://circleci.com/docs/managing-api-tokens/'],
});

export const clojars = prefixed({
  name: 'clojars-token',
  forms: [{ prefix: 'CLOJARS_', body: /[0-9a-f]{60}/uy }],
  sources: ['https://github.com/clojars/clojars-web/wiki/Deploy-Tokens'],
});

export const crates = prefixed({
  name: 'crates-token',
  forms: [{ prefix: 'cio', body: /[0-9A-Za-z]{32}/uy }],
  sources: ['https://crates.io/settings/tokens'],
});

export const docker = prefixed({
  name: 'docker-token',
  forms: [
    { prefix: 'dckr_pat_', body: /[\w-]{27}/uy },
    { prefix: 'dckr_oat_', body: /[\w-]{32}/uy },
  ],
  sources: [
    'https://docs.docker.com/security/access-tokens/',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const dynatrace = prefixed({
  name: 'dynatrace-token',
  forms: [{ prefix: 'dt0c01.', body: /[0-9A-Z]{24}\.[0-9A-Z]{64}/uy }],
  sources: [
    'https://docs.dynatrace.com/docs/dynatrace-api/basics/dynatrace-api-authentication',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const checksumLength = 6;

export const github = prefixed({
  name: 'github-token',
  forms: [
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ({
      prefix,
      body: /[0-9A-Za-z]{36}/uy,
      check: hasCrc32,
    })),
    { prefix: 'github_pat_', body: /[0-9A-Za-z]{22}_[0-9A-Za-z]{59}/uy },
    { prefix: 'ghs_', body: /\d{1,20}_[\w-]{20,1000}\.[\w-]{20,4000}\.[\w-]{20,1000}/uy },
  ],
  sources: [
    'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const gitlab = prefixed({
  name: 'gitlab-token',
  forms: [
    'glpat-',
    'gldt-',
    'glrt-',
    'glcbt-',
    'glptt-',
    'glsoat-',
    'glft-',
    'glimt-',
    'glagent-',
    'gloas-',
    'glffct-',
  ].map((prefix) => ({ prefix, body: /[\w-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?/uy })),
  sources: ['https://docs.gitlab.com/security/tokens/#token-prefixes'],
});

export const grafana = prefixed({
  name: 'grafana-token',
  forms: [
    { prefix: 'glsa_', body: /[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}/uy },
    { prefix: 'glc_', body: /eyJ[0-9A-Za-z+/]{40,400}={0,2}/uy },
  ],
  sources: [
    'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const linear = prefixed({
  name: 'linear-key',
  forms: [
    { prefix: 'lin_api_', body: /[0-9A-Za-z]{32,64}/uy },
    { prefix: 'lin_oauth_', body: /[0-9a-f]{64}/uy },
  ],
  sources: ['https://linear.app/developers/graphql', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});

export const newRelic = prefixed({
  name: 'new-relic-key',
  forms: [{ prefix: 'NRAK-', body: /[0-9A-Z]{27}/uy }],
  sources: [
    'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const npm = prefixed({
  name: 'npm-token',
  forms: [{ prefix: 'npm_', body: /[0-9A-Za-z]{36}/uy, check: hasCrc32 }],
  sources: ['https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/'],
});

export const posthog = prefixed({
  name: 'posthog-key',
  forms: [{ prefix: 'phx_', body: /[0-9A-Za-z]{43,60}/uy }],
  sources: ['https://posthog.com/docs/api'],
});

export const postman = prefixed({
  name: 'postman-key',
  forms: [{ prefix: 'PMAK-', body: /[0-9a-f]{24}-[0-9a-f]{34}/uy }],
  sources: [
    'https://learning.postman.com/docs/developer/postman-api/authentication/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const pypi = prefixed({
  name: 'pypi-token',
  forms: ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'].map((prefix) => ({
    prefix,
    body: /[\w-]{50,1000}/uy,
  })),
  sources: ['https://pypi.org/help/#apitoken', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

export const rubygems = prefixed({
  name: 'rubygems-key',
  forms: [{ prefix: 'rubygems_', body: /[0-9a-f]{48}/uy }],
  sources: ['https://guides.rubygems.org/api-key-scopes/'],
});

export const sentry = prefixed({
  name: 'sentry-token',
  forms: [
    { prefix: 'sntrys_', body: /eyJ[0-9A-Za-z+/=]{40,400}_[\w+/-]{43}/uy },
    { prefix: 'sntryu_', body: /[0-9a-f]{64}/uy },
  ],
  sources: [
    'https://docs.sentry.io/account/auth-tokens/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const sonar = prefixed({
  name: 'sonar-token',
  forms: ['squ_', 'sqp_', 'sqa_'].map((prefix) => ({ prefix, body: /[0-9a-f]{40}/uy })),
  sources: [
    'https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const sourcegraph = prefixed({
  name: 'sourcegraph-token',
  forms: [{ prefix: 'sgp_', body: /(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}/uy }],
  sources: [
    'https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

/**
 * Returns true if the last six characters are the CRC-32 of those before them, in base62: GitHub's and npm's tokens
 * after their prefix. Source: "Behind GitHub's new authentication token formats", github.blog, 2021.
 */
export function hasCrc32(body: string): boolean {
  return body.slice(-checksumLength) === crc32InBase62(body.slice(0, -checksumLength));
}

export function crc32InBase62(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < checksumLength; place += 1) {
    written = `${base62[rest % 62] ?? ''}${written}`;
    rest = Math.floor(rest / 62);
  }
  return written;
}
