import { prefixed } from '../../lib/prefixed.ts';

export const openrouter = prefixed({
  name: 'openrouter-key',
  forms: [
    { prefix: 'sk-or-v1-', body: /[0-9a-f]{64}/uy },
  ],
  sources: ['https://openrouter.ai/docs/api-reference/authentication'],
});
