import { prefixed } from '../../lib/prefixed.ts';

export const google = prefixed({
  name: 'google-key',
  forms: [
    { prefix: 'AIza', body: /[\w-]{35}/uy },
    { prefix: 'GOCSPX-', body: /[\w-]{28}/uy },
    { prefix: 'ya29.', body: /[\w-]{50,1000}/uy },
    { prefix: '1//', body: /0[\w-]{40,200}/uy },
  ],
  sources: ['https://cloud.google.com/docs/authentication/api-keys', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
