import { prefixed } from '../../lib/prefixed.ts';

export const crates = prefixed({
  name: 'crates-token',
  forms: [
    { prefix: 'cio', body: /[0-9A-Za-z]{32}/uy },
  ],
  sources: ['https://crates.io/settings/tokens'],
});
