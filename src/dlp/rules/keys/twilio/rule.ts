import { prefixed } from '../../lib/prefixed.ts';

export const twilio = prefixed({
  name: 'twilio-key',
  forms: [
    { prefix: 'SK', body: /[0-9a-f]{32}/uy },
  ],
  sources: ['https://www.twilio.com/docs/iam/api-keys', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
