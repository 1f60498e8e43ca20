import { prefixed } from '../../lib/prefixed.ts';

export const figma = prefixed({
  name: 'figma-token',
  forms: ['figd_', 'figoh_'].map((prefix) => ({ prefix, body: /[\w-]{40,200}/uy })),
  sources: ['https://www.figma.com/developers/api#access-tokens', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});
