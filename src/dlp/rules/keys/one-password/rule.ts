import { prefixed } from '../../lib/prefixed.ts';

export const onePassword = prefixed({
  name: 'one-password-key',
  forms: [
    { prefix: 'ops_', body: /eyJ[0-9A-Za-z+/=]{100,1500}/uy },
    { prefix: 'A3-', body: /[A-Z2-9]{6}-(?:[A-Z2-9]{11}|[A-Z2-9]{6}-[A-Z2-9]{5})-[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/uy },
  ],
  sources: ['https://developer.1password.com/docs/service-accounts/', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
