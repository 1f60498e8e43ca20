import { prefixed } from '../../lib/prefixed.ts';

export const neon = prefixed({
  name: 'neon-key',
  forms: [
    { prefix: 'napi_', body: /[0-9a-z]{64}/uy },
  ],
  sources: ['https://neon.com/docs/manage/api-keys'],
});
