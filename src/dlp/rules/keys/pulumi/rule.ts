import { prefixed } from '../../lib/prefixed.ts';

export const pulumi = prefixed({
  name: 'pulumi-token',
  forms: [
    { prefix: 'pul-', body: /[0-9a-f]{40}/uy },
  ],
  sources: ['https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
