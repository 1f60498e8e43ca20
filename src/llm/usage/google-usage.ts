import type { Usage } from '../types.ts';
import { splitUsage, tokensAt } from './tokens.ts';

/**
 * `usageMetadata` of Gemini. `promptTokenCount` includes cached tokens; thoughts are beside the candidates, and what tools gave back is
 * beside the prompt: `totalTokenCount` is the sum of the four. Source: @google/genai 3.1.0, `GenerateContentResponseUsageMetadata`.
 */
export function geminiUsage(usage: unknown): Usage | undefined {
  const thoughts = tokensAt(usage, 'thoughtsTokenCount');
  return splitUsage({
    input: sum(tokensAt(usage, 'promptTokenCount'), tokensAt(usage, 'toolUsePromptTokenCount')),
    cacheRead: tokensAt(usage, 'cachedContentTokenCount'),
    output: sum(tokensAt(usage, 'candidatesTokenCount'), thoughts),
    reasoning: thoughts,
  });
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
