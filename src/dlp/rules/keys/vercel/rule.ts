import { prefixed } from '../../lib/prefixed.ts';

export const vercel = prefixed({
  name: 'vercel-token',
  forms: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{20,60}/uy })),
  sources: ['https://vercel.com/docs/rest-api', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
