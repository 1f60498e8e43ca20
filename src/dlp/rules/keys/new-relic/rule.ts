import { prefixed } from '../../lib/prefixed.ts';

export const newRelic = prefixed({
  name: 'new-relic-key',
  forms: [
    { prefix: 'NRAK-', body: /[0-9A-Z]{27}/uy },
  ],
  sources: ['https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
