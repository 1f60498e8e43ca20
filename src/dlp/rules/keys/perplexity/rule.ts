import { prefixed } from '../../lib/prefixed.ts';

export const perplexity = prefixed({
  name: 'perplexity-key',
  forms: [
    { prefix: 'pplx-', body: /[0-9A-Za-z]{48}/uy },
  ],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
