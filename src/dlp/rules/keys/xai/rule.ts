import { prefixed } from '../../lib/prefixed.ts';

export const xai = prefixed({
  name: 'xai-key',
  forms: [
    { prefix: 'xai-', body: /[0-9A-Za-z]{80}/uy },
  ],
  sources: ['https://docs.x.ai/docs/tutorial'],
});
