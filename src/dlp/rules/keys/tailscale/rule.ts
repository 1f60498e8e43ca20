import { prefixed } from '../../lib/prefixed.ts';

export const tailscale = prefixed({
  name: 'tailscale-key',
  forms: [
    { prefix: 'tskey-', body: /(?:api|auth|client|scim|webhook)-[0-9A-Za-z]{8,40}-[0-9A-Za-z]{16,60}/uy },
  ],
  sources: ['https://tailscale.com/kb/1277/key-prefixes', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
