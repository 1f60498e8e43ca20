import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { ServerStyle } from './types.ts';

/**
 * A name, or a pattern with `*` for one or more of any characters: `*.openai.azure.com`,
 * `bedrock-runtime.*.amazonaws.com`.
 */
type ModelHostPattern = string;

/** A model server: a known one, or one that a policy names. */
export interface ModelServer {
  readonly hosts: readonly ModelHostPattern[];
  /** Undefined for any port. */
  readonly ports?: readonly number[];
  readonly provider: string;
  readonly style: ServerStyle;
  /**
   * Only requests below this path go to models, for a host that also serves other content, such as openrouter.ai.
   * Default: the whole host.
   */
  readonly basePath?: string;
  /** Whether the server reports usage in streams unasked, or refuses the request for it. */
  readonly streamUsage?: 'unasked';
}

/** Whether a pattern matches a host. Case and a trailing dot are ignored. */
export function matchesHost(host: string, pattern: ModelHostPattern): boolean {
  return matchesWildcard(compileWildcard(normalHost(pattern).replaceAll('*', '?*')), normalHost(host));
}

function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/u, '');
}
