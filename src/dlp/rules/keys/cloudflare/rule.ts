import { prefixed } from '../../lib/prefixed.ts';

export const cloudflare = prefixed({
  name: 'cloudflare-token',
  forms: [
    ...['cfk_', 'cfut_', 'cfat_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{40}[0-9a-f]{8}/uy })),
    { prefix: 'v1.0-', body: /[0-9a-f]{24}-[0-9a-f]{146}/uy },
  ],
  sources: ['npm:@secretlint/secretlint-rule-preset-recommend@13.0.7', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
