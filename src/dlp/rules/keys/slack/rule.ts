import { prefixed } from '../../lib/prefixed.ts';

export const slack = prefixed({
  name: 'slack-token',
  forms: [
    { prefix: 'xox', body: /[abeoprsdc](?:\.xox[bp])?-[0-9A-Za-z%-]{20,400}/uy },
    { prefix: 'xapp-', body: /\d-[0-9A-Z]{8,20}-\d{10,16}-[0-9a-f]{64}/uy },
    { prefix: 'hooks.slack.com/', body: /(?:services|workflows|triggers)\/[0-9A-Za-z/]{30,100}/uy },
  ],
  sources: ['https://api.slack.com/concepts/token-types', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
