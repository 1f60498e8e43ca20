import { prefixed } from '../lib/prefixed.ts';

export const anthropic = prefixed({
  name: 'anthropic-key',
  forms: [{ prefix: 'sk-ant-', body: /[a-z]{3,6}\d{2}-[\w-]{80,128}/uy }],
  sources: [
    'https://docs.anthropic.com/en/api/admin-api/apikeys/get-api-key',
    'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7',
  ],
});

export const cerebras = prefixed({
  name: 'cerebras-key',
  forms: [{ prefix: 'csk-', body: /[0-9a-z]{48}/uy }],
  sources: ['https://inference-docs.cerebras.ai/quickstart'],
});

export const deepseek = prefixed({
  name: 'deepseek-key',
  forms: [{ prefix: 'sk-', body: /[0-9a-f]{32}/uy }],
  sources: ['https://api-docs.deepseek.com/'],
});

export const elevenlabs = prefixed({
  name: 'elevenlabs-key',
  forms: [{ prefix: 'sk_', body: /[0-9a-f]{48}/uy }],
  sources: ['https://elevenlabs.io/docs/api-reference/authentication'],
});

export const groq = prefixed({
  name: 'groq-key',
  forms: [{ prefix: 'gsk_', body: /[0-9A-Za-z]{52}/uy }],
  sources: ['https://console.groq.com/docs/quickstart', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});

export const huggingFace = prefixed({
  name: 'hugging-face-token',
  forms: [
    { prefix: 'hf_', body: /[0-9A-Za-z]{34}/uy },
    { prefix: 'api_org_', body: /[A-Za-z]{34}/uy },
  ],
  sources: [
    'https://huggingface.co/docs/hub/security-tokens',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const langfuse = prefixed({
  name: 'langfuse-key',
  forms: [{ prefix: 'sk-lf-', body: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/uy }],
  sources: ['https://langfuse.com/docs'],
});

export const langsmith = prefixed({
  name: 'langsmith-key',
  forms: [{ prefix: 'lsv2_', body: /(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/uy }],
  sources: ['https://docs.smith.langchain.com/'],
});

export const nvidia = prefixed({
  name: 'nvidia-key',
  forms: [{ prefix: 'nvapi-', body: /[\w-]{64}/uy }],
  sources: ['https://docs.nvidia.com/ngc/gpu-cloud/ngc-user-guide/index.html'],
});

export const openai = prefixed({
  name: 'openai-key',
  forms: [{ prefix: 'sk-', body: /[\w-]{20,100}T3BlbkFJ[\w-]{20,100}/uy }],
  sources: [
    'https://platform.openai.com/docs/api-reference/authentication',
    'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  ],
});

export const openrouter = prefixed({
  name: 'openrouter-key',
  forms: [{ prefix: 'sk-or-v1-', body: /[0-9a-f]{64}/uy }],
  sources: ['https://openrouter.ai/docs/api-reference/authentication'],
});

export const perplexity = prefixed({
  name: 'perplexity-key',
  forms: [{ prefix: 'pplx-', body: /[0-9A-Za-z]{48}/uy }],
  sources: ['https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

export const replicate = prefixed({
  name: 'replicate-token',
  forms: [{ prefix: 'r8_', body: /[0-9A-Za-z]{37}/uy }],
  sources: ['https://replicate.com/docs/topics/security/api-tokens'],
});

export const togetherKey = prefixed({
  name: 'together-key',
  forms: [{ prefix: 'tgp_v1_', body: /[\w-]{43}/uy }],
  sources: ['https://docs.together.ai/docs/quickstart'],
});

export const xai = prefixed({
  name: 'xai-key',
  forms: [{ prefix: 'xai-', body: /[0-9A-Za-z]{80}/uy }],
  sources: ['https://docs.x.ai/docs/tutorial'],
});
