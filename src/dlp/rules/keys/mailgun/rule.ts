import { prefixed } from '../../lib/prefixed.ts';

export const mailgun = prefixed({
  name: 'mailgun-key',
  forms: [
    { prefix: 'key-', body: /[0-9a-f]{32}/uy },
  ],
  sources: ['https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
