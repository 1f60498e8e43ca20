import { prefixed } from '../../lib/prefixed.ts';

export const postman = prefixed({
  name: 'postman-key',
  forms: [
    { prefix: 'PMAK-', body: /[0-9a-f]{24}-[0-9a-f]{34}/uy },
  ],
  sources: ['https://learning.postman.com/docs/developer/postman-api/authentication/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
