import type { ModelServer } from './match-host.ts';

/**
 * Known servers of language models. A policy must name a server on this machine. Source: the providers' documents and
 * the default addresses of their SDKs, November 2026.
 */
export const knownServers: readonly ModelServer[] = [
  { hosts: ['api.anthropic.com'], provider: 'anthropic', style: 'anthropic' },
  { hosts: ['api.openai.com', '*.api.openai.com'], provider: 'openai', style: 'openai' },
  {
    hosts: [
      '*.openai.azure.com',
      '*.openai.azure.us',
      '*.openai.azure.cn',
      '*.services.ai.azure.com',
      '*.cognitiveservices.azure.com',
      '*.models.ai.azure.com',
    ],
    provider: 'azure',
    style: 'azure',
  },
  {
    hosts: ['generativelanguage.googleapis.com', '*.generativelanguage.googleapis.com'],
    provider: 'google',
    style: 'gemini',
  },
  {
    hosts: ['aiplatform.googleapis.com', '*-aiplatform.googleapis.com', 'aiplatform.*.rep.googleapis.com'],
    provider: 'google',
    style: 'vertex',
  },
  {
    hosts: [
      'bedrock-runtime.*.amazonaws.com',
      'bedrock-runtime.*.amazonaws.com.cn',
      'bedrock-runtime-fips.*.amazonaws.com',
      'bedrock-runtime.*.api.aws',
      'bedrock-runtime-fips.*.api.aws',
      'bedrock-mantle.*.api.aws',
      '*.bedrock-runtime.*.vpce.amazonaws.com',
    ],
    provider: 'aws',
    style: 'bedrock',
  },
  {
    hosts: ['openrouter.ai', '*.openrouter.ai'],
    provider: 'openrouter',
    style: 'openrouter',
    basePath: '/api',
    streamUsage: 'unasked',
  },
  // The server refuses unknown members.
  {
    hosts: ['api.mistral.ai', 'codestral.mistral.ai', '*.api.mistral.ai'],
    provider: 'mistral',
    style: 'openai',
    streamUsage: 'unasked',
  },
  { hosts: ['api.groq.com'], provider: 'groq', style: 'openai' },
  { hosts: ['api.x.ai', '*.api.x.ai'], provider: 'x-ai', style: 'openai', streamUsage: 'unasked' },
  { hosts: ['api.deepseek.com'], provider: 'deepseek', style: 'openai' },
  { hosts: ['api.together.xyz', 'api.together.ai'], provider: 'together', style: 'openai' },
  { hosts: ['api.fireworks.ai'], provider: 'fireworks', style: 'openai' },
  { hosts: ['api.perplexity.ai'], provider: 'perplexity', style: 'openai', streamUsage: 'unasked' },
  { hosts: ['api.cohere.com', 'api.cohere.ai'], provider: 'cohere', style: 'openai' },
  {
    hosts: ['api.githubcopilot.com', '*.githubcopilot.com', 'models.github.ai', 'models.inference.ai.azure.com'],
    provider: 'github-copilot',
    style: 'openai',
  },
  { hosts: ['api.cerebras.ai'], provider: 'cerebras', style: 'openai' },
  { hosts: ['api.moonshot.ai', 'api.moonshot.cn'], provider: 'moonshotai', style: 'openai' },
  { hosts: ['router.huggingface.co'], provider: 'huggingface_together', style: 'openai' },
];
