import { prefixed } from '../../lib/prefixed.ts';

export const rubygems = prefixed({
  name: 'rubygems-key',
  forms: [
    { prefix: 'rubygems_', body: /[0-9a-f]{48}/uy },
  ],
  sources: ['https://guides.rubygems.org/api-key-scopes/'],
});
