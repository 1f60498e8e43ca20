import type { Usage } from '../types.ts';
import { at, isRecord, listAt } from './hostile-json.ts';

/** More than any model reads or writes. A higher count is reduced to this, so that sums stay exact. */
export const mostTokens = 1e12;

/** Returns a whole number of tokens. Undefined for anything else. */
export function tokensAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path);
  if (typeof found !== 'number' || Number.isNaN(found) || found < 0) return undefined;
  return Math.max(0, Math.floor(Math.min(found, mostTokens)));
}

export interface InclusiveCounts {
  /** Including cached tokens. */
  readonly input: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite5m?: number | undefined;
  readonly cacheWrite1h?: number | undefined;
  /** Including reasoning tokens. */
  readonly output: number | undefined;
  readonly reasoning?: number | undefined;
}

/**
 * Separates the classes of tokens, for a provider whose input count includes cached tokens. A part is never larger than
 * its whole.
 */
export function splitUsage(counts: InclusiveCounts): Usage | undefined {
  if (counts.input === undefined && counts.output === undefined) return undefined;
  let uncachedInput = counts.input ?? 0;
  const take = (part: number | undefined): number => {
    const taken = Math.min(part ?? 0, uncachedInput);
    uncachedInput -= taken;
    return taken;
  };
  const [cacheRead, cacheWrite1h, cacheWrite5m] = [
    take(counts.cacheRead),
    take(counts.cacheWrite1h),
    take(counts.cacheWrite5m),
  ];
  const output = counts.output ?? 0;
  return {
    uncachedInput,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    output,
    reasoning: Math.min(counts.reasoning ?? 0, output),
  };
}

/**
 * `usage` of Converse. `inputTokens` excludes cached tokens. Source: @aws-sdk/client-bedrock-runtime 3.1164.0,
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
 * `amazon-bedrock-invocationMetrics` in the last event of InvokeModelWithResponseStream. AWS bills these counts, even
 * if the model's own body has different ones.
 */
export function invocationUsage(metrics: unknown): Usage | undefined {
  if (!isRecord(metrics)) return undefined;
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
    .filter((detail) => isRecord(detail) && detail['ttl'] === '1h')
    .reduce<number>((sum, detail) => sum + (tokensAt(detail, 'inputTokens') ?? 0), 0);
}
