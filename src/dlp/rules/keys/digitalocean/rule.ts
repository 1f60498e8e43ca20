import { prefixed } from '../../lib/prefixed.ts';

export const digitalocean = prefixed({
  name: 'digitalocean-token',
  forms: ['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => ({ prefix, body: /[0-9a-f]{64}/uy })),
  sources: ['https://docs.digitalocean.com/reference/api/create-personal-access-token/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
