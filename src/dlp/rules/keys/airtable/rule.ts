import { prefixed } from '../../lib/prefixed.ts';

export const airtable = prefixed({
  name: 'airtable-token',
  forms: [
    { prefix: 'pat', body: /[0-9A-Za-z]{14}\.[0-9a-f]{64}/uy },
  ],
  sources: ['https://airtable.com/developers/web/guides/personal-access-tokens'],
});
