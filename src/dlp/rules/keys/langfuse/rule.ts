import { prefixed } from '../../lib/prefixed.ts';

export const langfuse = prefixed({
  name: 'langfuse-key',
  forms: [
    { prefix: 'sk-lf-', body: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/uy },
  ],
  sources: ['https://langfuse.com/docs'],
});
