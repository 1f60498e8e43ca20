import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { ServerStyle } from './types.ts';

/**
 * A name, or a pattern with `*` for one or more of any characters: `*.openai.azure.com`,
 * `bedrock-runtime.*.amazonaws.com`.
 */
type ModelHostPattern = string;

/** A server of models: one that is known, or one that a policy names. */
export interface ModelServer {
  readonly hosts: readonly ModelHostPattern[];
  /** Any port where there are none. */
  readonly ports?: readonly number[];
  readonly provider: string;
  readonly style: ServerStyle;
  /**
   * Requests elsewhere are not to models at all: a host that serves other things beside, such as openrouter.ai.
   * Default: the whole host.
   */
  readonly basePath?: string;
  /** Whether the server tells usage in streams though nobody asks, or refuses the question. */
  readonly streamUsage?: 'unasked';
}

/** Whether a host is one that a pattern means. Case and a last dot do not matter. */
export function matchesHost(host: string, pattern: ModelHostPattern): boolean {
  return matchesWildcard(compileWildcard(normalHost(pattern).replaceAll('*', '?*')), normalHost(host));
}

function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/u, '');
}
