/** A named set of hosts: those that one tool needs, and nothing else. */
export interface Preset {
  /** The purpose of the set, in a few words. */
  readonly purpose: string;
  /** Documentation of the hosts. */
  readonly sources: readonly string[];
  readonly hosts: readonly PresetHost[];
}

interface PresetHost {
  /**
   * A host pattern with its port, so that a preset opens no more than the tool uses. Never an address, a network or
   * `any`.
   */
  readonly pattern: string;
  /** The tool's use of the host. */
  readonly reason: string;
}

/** Services that agents and their tests use. */
export const servicePresets = {
  'llm-apis': {
    purpose: 'the public APIs of language models',
    sources: [
      'https://docs.claude.com/en/api/overview',
      'https://platform.openai.com/docs/api-reference',
      'https://ai.google.dev/api',
      'https://docs.mistral.ai/api/',
      'https://console.groq.com/docs/api-reference',
      'https://docs.cohere.com/reference/about',
      'https://docs.x.ai/docs/api-reference',
      'https://api-docs.deepseek.com/',
      'https://openrouter.ai/docs/api-reference/overview',
    ],
    hosts: [
      { pattern: 'api.anthropic.com:443', reason: 'Anthropic' },
      { pattern: 'api.openai.com:443', reason: 'OpenAI' },
      { pattern: 'generativelanguage.googleapis.com:443', reason: 'Gemini' },
      { pattern: 'api.mistral.ai:443', reason: 'Mistral' },
      { pattern: 'api.groq.com:443', reason: 'Groq' },
      { pattern: 'api.cohere.com:443', reason: 'Cohere' },
      { pattern: 'api.x.ai:443', reason: 'xAI' },
      { pattern: 'api.deepseek.com:443', reason: 'DeepSeek' },
      { pattern: 'openrouter.ai:443', reason: 'OpenRouter' },
    ],
  },
  playwright: {
    purpose: 'browsers that Playwright installs',
    sources: ['https://playwright.dev/docs/browsers#install-behind-a-firewall-or-a-proxy'],
    hosts: [
      { pattern: 'cdn.playwright.dev:443', reason: 'browsers' },
      { pattern: 'playwright.download.prss.microsoft.com:443', reason: 'browsers, where the first does not answer' },
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;
