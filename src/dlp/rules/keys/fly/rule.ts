import { prefixed } from '../../lib/prefixed.ts';

export const fly = prefixed({
  name: 'fly-token',
  forms: [
    { prefix: 'fm2_', body: /[0-9A-Za-z+/]{100,1000}={0,3}/uy },
    { prefix: 'fo1_', body: /[\w-]{43}/uy },
  ],
  sources: ['https://fly.io/docs/security/tokens/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
