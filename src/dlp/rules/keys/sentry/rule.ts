import { prefixed } from '../../lib/prefixed.ts';

export const sentry = prefixed({
  name: 'sentry-token',
  forms: [
    { prefix: 'sntrys_', body: /eyJ[0-9A-Za-z+/=]{40,400}_[\w+/-]{43}/uy },
    { prefix: 'sntryu_', body: /[0-9a-f]{64}/uy },
  ],
  sources: ['https://docs.sentry.io/account/auth-tokens/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
