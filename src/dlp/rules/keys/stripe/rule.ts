import { prefixed } from '../../lib/prefixed.ts';

export const stripe = prefixed({
  name: 'stripe-key',
  forms: [
    ...['sk_live_', 'rk_live_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{24,120}/uy })),
    { prefix: 'whsec_', body: /[0-9A-Za-z+/]{32,64}/uy },
  ],
  sources: ['https://docs.stripe.com/keys', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
