import { prefixed } from '../../lib/prefixed.ts';

export const anthropic = prefixed({
  name: 'anthropic-key',
  forms: [
    { prefix: 'sk-ant-', body: /[a-z]{3,6}\d{2}-[\w-]{80,128}/uy },
  ],
  sources: ['https://docs.anthropic.com/en/api/admin-api/apikeys/get-api-key', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
