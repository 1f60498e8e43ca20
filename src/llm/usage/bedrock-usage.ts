import type { Usage } from '../types.ts';
import { isObject, listAt } from './hostile-json.ts';
import { tokensAt } from './tokens.ts';

/**
 * `usage` of Converse. `inputTokens` is without cached tokens. Source: @aws-sdk/client-bedrock-runtime 3.1164.0,
 * `TokenUsage`, `CacheDetail`.
 */
export function converseUsage(usage: unknown): Usage | undefined {
  const [input, output] = [tokensAt(usage, 'inputTokens'), tokensAt(usage, 'outputTokens')];
  if (input === undefined && output === undefined) return undefined;
  const written = tokensAt(usage, 'cacheWriteInputTokens') ?? 0;
  const cacheWrite1h = Math.min(written, writtenForAnHour(usage));
  return {
    uncachedInput: input ?? 0,
    cacheRead: tokensAt(usage, 'cacheReadInputTokens') ?? 0,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: output ?? 0,
    reasoning: 0,
  };
}

/**
 * `amazon-bedrock-invocationMetrics` in the last event of InvokeModelWithResponseStream: what AWS bills, whatever the
 * model's own body tells.
 */
export function invocationUsage(metrics: unknown): Usage | undefined {
  if (!isObject(metrics)) return undefined;
  return converseUsage({
    inputTokens: metrics['inputTokenCount'],
    outputTokens: metrics['outputTokenCount'],
    cacheReadInputTokens: metrics['cacheReadInputTokenCount'],
    cacheWriteInputTokens: metrics['cacheWriteInputTokenCount'],
  });
}

function writtenForAnHour(usage: unknown): number {
  return listAt(usage, 'cacheDetails')
    .slice(0, 100)
    .filter((detail) => isObject(detail) && detail['ttl'] === '1h')
    .reduce<number>((sum, detail) => sum + (tokensAt(detail, 'inputTokens') ?? 0), 0);
}
