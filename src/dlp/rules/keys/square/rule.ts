import { prefixed } from '../../lib/prefixed.ts';

export const square = prefixed({
  name: 'square-token',
  forms: [
    { prefix: 'sq0atp-', body: /[\w-]{22}/uy },
    { prefix: 'sq0csp-', body: /[\w-]{43}/uy },
  ],
  sources: ['https://developer.squareup.com/docs/build-basics/access-tokens', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
