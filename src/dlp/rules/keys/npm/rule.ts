import { hasCrc32 } from '../../lib/crc32.ts';
import { prefixed } from '../../lib/prefixed.ts';

export const npm = prefixed({
  name: 'npm-token',
  forms: [
    { prefix: 'npm_', body: /[0-9A-Za-z]{36}/uy, check: hasCrc32 },
  ],
  sources: ['https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/'],
});
