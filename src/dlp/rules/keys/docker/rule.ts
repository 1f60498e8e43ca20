import { prefixed } from '../../lib/prefixed.ts';

export const docker = prefixed({
  name: 'docker-token',
  forms: [
    { prefix: 'dckr_pat_', body: /[\w-]{27}/uy },
    { prefix: 'dckr_oat_', body: /[\w-]{32}/uy },
  ],
  sources: ['https://docs.docker.com/security/access-tokens/', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
