import { prefixed } from '../../lib/prefixed.ts';

export const together = prefixed({
  name: 'together-key',
  forms: [
    { prefix: 'tgp_v1_', body: /[\w-]{43}/uy },
  ],
  sources: ['https://docs.together.ai/docs/quickstart'],
});
