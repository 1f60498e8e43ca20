import { hasCrc32 } from '../../lib/crc32.ts';
import { prefixed } from '../../lib/prefixed.ts';

export const github = prefixed({
  name: 'github-token',
  forms: [
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ({ prefix, body: /[0-9A-Za-z]{36}/uy, check: hasCrc32 })),
    { prefix: 'github_pat_', body: /[0-9A-Za-z]{22}_[0-9A-Za-z]{59}/uy },
    { prefix: 'ghs_', body: /\d{1,20}_[\w-]{20,1000}\.[\w-]{20,4000}\.[\w-]{20,1000}/uy },
  ],
  sources: ['https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
