import { prefixed } from '../../lib/prefixed.ts';

export const sendgrid = prefixed({
  name: 'sendgrid-key',
  forms: [
    { prefix: 'SG.', body: /[\w-]{22}\.[\w-]{43}/uy },
  ],
  sources: ['https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
