import { prefixed } from '../../lib/prefixed.ts';

export const brevo = prefixed({
  name: 'brevo-key',
  forms: [
    { prefix: 'xkeysib-', body: /[0-9a-f]{64}-[0-9A-Za-z]{16}/uy },
  ],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
