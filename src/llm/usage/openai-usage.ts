import type { Usage } from '../types.ts';
import { splitUsage, tokensAt } from './tokens.ts';

/**
 * `usage` of Chat Completions. `prompt_tokens` includes cached tokens. xAI, and Gemini in this dialect, report
 * `completion_tokens` without the reasoning, and `total_tokens` with it. So the output is the total minus the prompt.
 * Source: openai 7.57.0, `CompletionUsage`.
 */
export function chatUsage(usage: unknown): Usage | undefined {
  const input = tokensAt(usage, 'prompt_tokens');
  const output = tokensAt(usage, 'completion_tokens');
  const beyond = Math.max(0, (tokensAt(usage, 'total_tokens') ?? 0) - (input ?? 0));
  return splitUsage({
    input,
    cacheRead:
      tokensAt(usage, 'prompt_tokens_details', 'cached_tokens') ??
      tokensAt(usage, 'prompt_cache_hit_tokens') ??
      tokensAt(usage, 'cached_tokens'),
    cacheWrite5m: tokensAt(usage, 'prompt_tokens_details', 'cache_write_tokens'),
    output: output === undefined ? undefined : Math.max(output, beyond),
    reasoning: tokensAt(usage, 'completion_tokens_details', 'reasoning_tokens') ?? tokensAt(usage, 'reasoning_tokens'),
  });
}

/**
 * `usage` of Responses. Cache writes for thirty minutes count as the short tier, and those for twelve hours as the long
 * tier. Source: openai 7.57.0, `ResponseUsage`.
 */
export function responsesUsage(usage: unknown): Usage | undefined {
  const written = tokensAt(usage, 'input_tokens_details', 'cache_write_tokens') ?? 0;
  const long = Math.min(
    written,
    tokensAt(usage, 'input_tokens_details', 'cache_write_tokens_details', 'ttl_12h_tokens') ?? 0,
  );
  return splitUsage({
    input: tokensAt(usage, 'input_tokens'),
    cacheRead: tokensAt(usage, 'input_tokens_details', 'cached_tokens'),
    cacheWrite5m: written - long,
    cacheWrite1h: long,
    output: tokensAt(usage, 'output_tokens'),
    reasoning: tokensAt(usage, 'output_tokens_details', 'reasoning_tokens'),
  });
}
