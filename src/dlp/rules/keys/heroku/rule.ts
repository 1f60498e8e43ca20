import { prefixed } from '../../lib/prefixed.ts';

export const heroku = prefixed({
  name: 'heroku-key',
  forms: [
    { prefix: 'HRKU-', body: /(?:AA[\w-]{58}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/uy },
  ],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
