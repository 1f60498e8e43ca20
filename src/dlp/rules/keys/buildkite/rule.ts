import { prefixed } from '../../lib/prefixed.ts';

export const buildkite = prefixed({
  name: 'buildkite-token',
  forms: [
    { prefix: 'bkua_', body: /[0-9a-f]{40}/uy },
  ],
  sources: ['https://buildkite.com/docs/apis/managing-api-tokens'],
});
