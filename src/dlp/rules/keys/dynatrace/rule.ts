import { prefixed } from '../../lib/prefixed.ts';

export const dynatrace = prefixed({
  name: 'dynatrace-token',
  forms: [
    { prefix: 'dt0c01.', body: /[0-9A-Z]{24}\.[0-9A-Z]{64}/uy },
  ],
  sources: ['https://docs.dynatrace.com/docs/dynatrace-api/basics/dynatrace-api-authentication', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
