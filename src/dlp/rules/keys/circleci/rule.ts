import { prefixed } from '../../lib/prefixed.ts';

export const circleci = prefixed({
  name: 'circleci-token',
  forms: [
    { prefix: 'CCIPAT_', body: /[0-9A-Za-z]{22}_[0-9a-f]{40}/uy },
  ],
  sources: ['https://circleci.com/docs/managing-api-tokens/'],
});
