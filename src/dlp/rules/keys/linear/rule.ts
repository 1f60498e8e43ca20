import { prefixed } from '../../lib/prefixed.ts';

export const linear = prefixed({
  name: 'linear-key',
  forms: [
    { prefix: 'lin_api_', body: /[0-9A-Za-z]{32,64}/uy },
    { prefix: 'lin_oauth_', body: /[0-9a-f]{64}/uy },
  ],
  sources: ['https://linear.app/developers/graphql', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
