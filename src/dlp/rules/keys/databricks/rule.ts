import { prefixed } from '../../lib/prefixed.ts';

export const databricks = prefixed({
  name: 'databricks-token',
  forms: [
    { prefix: 'dapi', body: /[0-9a-f]{32}(?:-\d)?/uy },
  ],
  sources: ['https://docs.databricks.com/dev-tools/auth/pat.html', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
