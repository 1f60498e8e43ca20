import { prefixed } from '../../lib/prefixed.ts';

export const planetscale = prefixed({
  name: 'planetscale-key',
  forms: [
    { prefix: 'pscale_', body: /(?:tkn|pw|oauth)_[\w.-]{32,64}/uy },
  ],
  sources: ['https://planetscale.com/docs/api/planetscale-api-oauth-applications', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
