import { prefixed } from '../../lib/prefixed.ts';

export const atlassian = prefixed({
  name: 'atlassian-token',
  forms: ['ATATT3xFfGF0', 'ATCTT3xFfGN0'].map((prefix) => ({ prefix, body: /[\w=-]{150,250}/uy })),
  sources: ['https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
