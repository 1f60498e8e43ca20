import type { Provider } from './provider.ts';

/** Services that issue their own keys. */
export const languageModelProviders = {
  anthropic: {
    title: 'Anthropic',
    key: 'API key',
    sources: ['@anthropic-ai/sdk 1.12.0', 'https://docs.claude.com/en/api/overview'],
    ways: [{ hosts: ['api.anthropic.com'], injection: { kind: 'header', name: 'x-api-key' }, use: 'phantom' }],
    variables: [{ name: 'ANTHROPIC_API_KEY', readBy: '@anthropic-ai/sdk, Claude Code', delivered: 'always' }],
    baseUrls: [{ name: 'ANTHROPIC_BASE_URL', readBy: '@anthropic-ai/sdk, Claude Code', path: '' }],
    shapes: [{ of: 'API key', prefix: 'sk-ant-api03-', alphabet: 'base64url', length: 95, checksum: 'none' }],
  },
  'anthropic-oauth': {
    title: 'Anthropic',
    key: 'OAuth token of a subscription (`claude setup-token`)',
    sources: ['@anthropic-ai/sdk 1.12.0', 'https://docs.claude.com/en/docs/claude-code/settings#environment-variables'],
    ways: [{ hosts: ['api.anthropic.com'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [
      { name: 'CLAUDE_CODE_OAUTH_TOKEN', readBy: 'Claude Code', delivered: 'always' },
      { name: 'ANTHROPIC_AUTH_TOKEN', readBy: '@anthropic-ai/sdk, Claude Code', delivered: 'asked' },
    ],
    baseUrls: [{ name: 'ANTHROPIC_BASE_URL', readBy: '@anthropic-ai/sdk, Claude Code', path: '' }],
    shapes: [
      { of: 'OAuth access token', prefix: 'sk-ant-oat01-', alphabet: 'base64url', length: 95, checksum: 'none' },
    ],
  },
  openai: {
    title: 'OpenAI',
    key: 'API key',
    sources: ['openai 6.49.0', 'https://platform.openai.com/docs/api-reference/authentication'],
    ways: [{ hosts: ['api.openai.com'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [
      { name: 'OPENAI_API_KEY', readBy: 'openai, Codex', delivered: 'always' },
      { name: 'OPENAI_ADMIN_KEY', readBy: 'openai, for the administration API', delivered: 'asked' },
    ],
    baseUrls: [{ name: 'OPENAI_BASE_URL', readBy: 'openai, Codex', path: '/v1' }],
    shapes: [
      { of: 'key of a project', prefix: 'sk-proj-', alphabet: 'base64url', length: 156, checksum: 'none' },
      { of: 'key of a service account', prefix: 'sk-svcacct-', alphabet: 'base64url', length: 156, checksum: 'none' },
      { of: 'key of a user, older', prefix: 'sk-', alphabet: 'base62', length: 48, checksum: 'none' },
    ],
  },
  gemini: {
    title: 'Gemini API',
    key: 'API key',
    sources: ['@google/genai 2.32.0', 'https://ai.google.dev/gemini-api/docs/api-key'],
    ways: [
      {
        hosts: ['generativelanguage.googleapis.com'],
        injection: { kind: 'header', name: 'x-goog-api-key' },
        use: 'phantom',
      },
      {
        name: 'query',
        hosts: ['generativelanguage.googleapis.com'],
        injection: { kind: 'query', parameter: 'key' },
        use: 'phantom',
      },
    ],
    variables: [
      { name: 'GEMINI_API_KEY', readBy: '@google/genai, Gemini CLI', delivered: 'always' },
      { name: 'GOOGLE_API_KEY', readBy: '@google/genai, which warns where both are set', delivered: 'asked' },
    ],
    baseUrls: [{ name: 'GOOGLE_GEMINI_BASE_URL', readBy: '@google/genai', path: '' }],
    shapes: [{ of: 'API key', prefix: 'AIza', alphabet: 'base64url', length: 35, checksum: 'none' }],
  },
  mistral: {
    title: 'Mistral',
    key: 'API key',
    sources: ['@mistralai/mistralai 2.7.0', 'https://docs.mistral.ai/api/'],
    ways: [{ hosts: ['api.mistral.ai'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [{ name: 'MISTRAL_API_KEY', readBy: '@mistralai/mistralai', delivered: 'always' }],
    baseUrls: [],
    shapes: [{ of: 'API key', prefix: '', alphabet: 'base62', length: 32, checksum: 'none' }],
  },
  cohere: {
    title: 'Cohere',
    key: 'API key',
    sources: ['cohere-ai 8.1.0', 'https://docs.cohere.com/reference/about'],
    ways: [{ hosts: ['api.cohere.com'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [
      { name: 'CO_API_KEY', readBy: 'cohere-ai', delivered: 'always' },
      { name: 'COHERE_API_KEY', readBy: 'agents and frameworks', delivered: 'always' },
    ],
    baseUrls: [],
    shapes: [{ of: 'API key', prefix: '', alphabet: 'base62', length: 40, checksum: 'none' }],
  },
  groq: {
    title: 'Groq',
    key: 'API key',
    sources: ['groq-sdk 1.6.0', 'https://console.groq.com/docs/api-reference'],
    ways: [{ hosts: ['api.groq.com'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [{ name: 'GROQ_API_KEY', readBy: 'groq-sdk', delivered: 'always' }],
    baseUrls: [{ name: 'GROQ_BASE_URL', readBy: 'groq-sdk', path: '' }],
    shapes: [{ of: 'API key', prefix: 'gsk_', alphabet: 'base62', length: 52, checksum: 'none' }],
  },
  deepseek: {
    title: 'DeepSeek',
    key: 'API key',
    sources: ['@ai-sdk/deepseek 2.0.69', 'https://ai-sdk.dev/providers/ai-sdk-providers/deepseek'],
    ways: [{ hosts: ['api.deepseek.com'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [{ name: 'DEEPSEEK_API_KEY', readBy: '@ai-sdk/deepseek', delivered: 'always' }],
    baseUrls: [],
    shapes: [{ of: 'API key', prefix: 'sk-', alphabet: 'hex', length: 32, checksum: 'none' }],
  },
  openrouter: {
    title: 'OpenRouter',
    key: 'API key',
    sources: ['@openrouter/ai-sdk-provider 2.10.0', 'https://openrouter.ai/docs/api-reference/authentication'],
    ways: [{ hosts: ['openrouter.ai'], paths: ['/api/*'], injection: { kind: 'bearer' }, use: 'phantom' }],
    variables: [{ name: 'OPENROUTER_API_KEY', readBy: '@openrouter/ai-sdk-provider', delivered: 'always' }],
    baseUrls: [],
    shapes: [{ of: 'API key', prefix: 'sk-or-v1-', alphabet: 'hex', length: 64, checksum: 'none' }],
  },
  huggingface: {
    title: 'Hugging Face',
    key: 'user access token',
    sources: [
      '@huggingface/inference 4.13.30',
      'https://huggingface.co/docs/hub/security-tokens',
      'https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables',
    ],
    ways: [
      { hosts: ['huggingface.co', 'router.huggingface.co'], injection: { kind: 'bearer' }, use: 'phantom' },
      { name: 'git', hosts: ['huggingface.co'], injection: { kind: 'git', user: 'user' }, use: 'always' },
    ],
    variables: [
      { name: 'HF_TOKEN', readBy: 'huggingface_hub, and examples of @huggingface/inference', delivered: 'always' },
      { name: 'HUGGING_FACE_HUB_TOKEN', readBy: 'huggingface_hub, older', delivered: 'asked' },
    ],
    baseUrls: [{ name: 'HF_ENDPOINT', readBy: 'huggingface_hub', path: '' }],
    shapes: [{ of: 'user access token', prefix: 'hf_', alphabet: 'base62', length: 34, checksum: 'none' }],
  },
} as const satisfies Readonly<Record<string, Provider>>;
