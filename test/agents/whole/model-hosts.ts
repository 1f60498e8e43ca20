import type { AgentDialect } from '../real-clis/dialog.ts';

/** Model servers under the names that agents know, at addresses of the machine's own internet. */
export const modelHosts: Readonly<Record<string, { readonly dialect: AgentDialect; readonly address: string }>> = {
  'api.anthropic.com': { dialect: 'anthropic', address: '93.184.216.35' },
  'api.openai.com': { dialect: 'openai', address: '93.184.216.36' },
  'generativelanguage.googleapis.com': { dialect: 'gemini', address: '93.184.216.37' },
};

/** An ungranted host. It records each request. */
export const otherHost = { name: 'outside.example', address: '93.184.216.38' } as const;
