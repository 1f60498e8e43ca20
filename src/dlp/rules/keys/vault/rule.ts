import { prefixed } from '../../lib/prefixed.ts';

export const vault = prefixed({
  name: 'vault-token',
  forms: [
    ...['hvs.', 'hvr.'].map((prefix) => ({ prefix, body: /[\w-]{90,300}/uy })),
    { prefix: 'hvb.', body: /[\w-]{138,400}/uy },
    { prefix: 'hvs.', body: /[0-9A-Za-z]{24}/uy },
  ],
  sources: ['https://developer.hashicorp.com/vault/docs/concepts/tokens', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
