import type { Usage } from '../types.ts';
import { splitUsage, tokensAt } from './tokens.ts';

/** Members of Ollama's last object. What it had cached it does not tell. Source: Ollama's docs/api.md, `prompt_eval_count`, `eval_count`. */
export function ollamaUsage(event: unknown): Usage | undefined {
  return splitUsage({ input: tokensAt(event, 'prompt_eval_count'), output: tokensAt(event, 'eval_count') });
}
