import type { AgentDialect } from '../real-clis/dialog.ts';

/** Model servers under the names that agents know, at addresses of the machine's own internet. */
export const modelHosts: Readonly<Record<string, { readonly dialect: AgentDialect; readonly address: string }>> = {
  'api.anthropic.com': { dialect: 'anthropic', address: '93.184.216.35' },
  'api.openai.com': { dialect: 'openai', address: '93.184.216.36' },
  'generativelanguage.googleapis.com': { dialect: 'gemini', address: '93.184.216.37' },
};

/** An ungranted host. It records each request. */
export const otherHost = { name: 'outside.example', address: '93.184.216.38' } as const;

/**
 * Hosts that agents call beside their models: updates, telemetry and lists of plug-ins. They answer 404, so that an
 * agent outside a box makes the same connections as on the real internet.
 */
export const sideHosts = {
  names: ['github.com', 'api.github.com', 'chatgpt.com', 'ab.chatgpt.com'],
  address: '93.184.216.39',
} as const;
