import { prefixed } from '../../lib/prefixed.ts';

export const shopify = prefixed({
  name: 'shopify-token',
  forms: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'].map((prefix) => ({ prefix, body: /[0-9a-f]{32}/uy })),
  sources: ['https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
