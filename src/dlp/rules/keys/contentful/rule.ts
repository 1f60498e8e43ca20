import { prefixed } from '../../lib/prefixed.ts';

export const contentful = prefixed({
  name: 'contentful-token',
  forms: [
    { prefix: 'CFPAT-', body: /[\w-]{43}/uy },
  ],
  sources: ['https://www.contentful.com/developers/docs/references/authentication/'],
});
