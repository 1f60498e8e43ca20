import { prefixed } from '../../lib/prefixed.ts';

export const groq = prefixed({
  name: 'groq-key',
  forms: [
    { prefix: 'gsk_', body: /[0-9A-Za-z]{52}/uy },
  ],
  sources: ['https://console.groq.com/docs/quickstart', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
