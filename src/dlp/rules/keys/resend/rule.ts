import { prefixed } from '../../lib/prefixed.ts';

export const resend = prefixed({
  name: 'resend-key',
  forms: [
    { prefix: 're_', body: /[0-9A-Za-z]{8}_[0-9A-Za-z]{24}/uy },
  ],
  sources: ['https://resend.com/docs/dashboard/api-keys/introduction'],
});
