import { prefixed } from '../../lib/prefixed.ts';

export const sourcegraph = prefixed({
  name: 'sourcegraph-token',
  forms: [
    { prefix: 'sgp_', body: /(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}/uy },
  ],
  sources: ['https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
