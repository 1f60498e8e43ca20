import { prefixed } from '../../lib/prefixed.ts';

export const deepseek = prefixed({
  name: 'deepseek-key',
  forms: [
    { prefix: 'sk-', body: /[0-9a-f]{32}/uy },
  ],
  sources: ['https://api-docs.deepseek.com/'],
});
