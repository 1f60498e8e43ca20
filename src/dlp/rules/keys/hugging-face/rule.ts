import { prefixed } from '../../lib/prefixed.ts';

export const huggingFace = prefixed({
  name: 'hugging-face-token',
  forms: [
    { prefix: 'hf_', body: /[0-9A-Za-z]{34}/uy },
    { prefix: 'api_org_', body: /[A-Za-z]{34}/uy },
  ],
  sources: ['https://huggingface.co/docs/hub/security-tokens', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});
