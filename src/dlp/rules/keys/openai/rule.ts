import { prefixed } from '../../lib/prefixed.ts';

export const openai = prefixed({
  name: 'openai-key',
  forms: [
    { prefix: 'sk-', body: /[\w-]{20,100}T3BlbkFJ[\w-]{20,100}/uy },
  ],
  sources: ['https://platform.openai.com/docs/api-reference/authentication', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
