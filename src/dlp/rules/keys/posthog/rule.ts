import { prefixed } from '../../lib/prefixed.ts';

export const posthog = prefixed({
  name: 'posthog-key',
  forms: [
    { prefix: 'phx_', body: /[0-9A-Za-z]{43,60}/uy },
  ],
  sources: ['https://posthog.com/docs/api'],
});
