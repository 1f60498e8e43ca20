import { isMixed } from '../../lib/is-mixed.ts';
import { prefixed } from '../../lib/prefixed.ts';

export const notion = prefixed({
  name: 'notion-token',
  forms: [
    { prefix: 'ntn_', body: /\d{11}[0-9A-Za-z]{35}/uy },
    { prefix: 'secret_', body: /[0-9A-Za-z]{43}/uy, check: isMixed },
  ],
  sources: ['https://developers.notion.com/page/changelog', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
