import { prefixed } from '../../lib/prefixed.ts';

export const cerebras = prefixed({
  name: 'cerebras-key',
  forms: [
    { prefix: 'csk-', body: /[0-9a-z]{48}/uy },
  ],
  sources: ['https://inference-docs.cerebras.ai/quickstart'],
});
