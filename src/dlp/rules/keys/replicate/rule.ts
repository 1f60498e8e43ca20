import { prefixed } from '../../lib/prefixed.ts';

export const replicate = prefixed({
  name: 'replicate-token',
  forms: [
    { prefix: 'r8_', body: /[0-9A-Za-z]{37}/uy },
  ],
  sources: ['https://replicate.com/docs/topics/security/api-tokens'],
});
