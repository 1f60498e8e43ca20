import { prefixed } from '../../lib/prefixed.ts';

export const easypost = prefixed({
  name: 'easypost-key',
  forms: [
    { prefix: 'EZAK', body: /[0-9A-Za-z]{54}/uy },
  ],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
