import { prefixed } from '../../lib/prefixed.ts';

export const elevenlabs = prefixed({
  name: 'elevenlabs-key',
  forms: [
    { prefix: 'sk_', body: /[0-9a-f]{48}/uy },
  ],
  sources: ['https://elevenlabs.io/docs/api-reference/authentication'],
});
