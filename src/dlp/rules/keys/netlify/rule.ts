import { prefixed } from '../../lib/prefixed.ts';

export const netlify = prefixed({
  name: 'netlify-token',
  forms: [
    { prefix: 'nfp_', body: /[0-9A-Za-z]{36}/uy },
  ],
  sources: ['https://docs.netlify.com/api/get-started/'],
});
