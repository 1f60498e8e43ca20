import { prefixed } from '../../lib/prefixed.ts';

export const langsmith = prefixed({
  name: 'langsmith-key',
  forms: [
    { prefix: 'lsv2_', body: /(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/uy },
  ],
  sources: ['https://docs.smith.langchain.com/'],
});
