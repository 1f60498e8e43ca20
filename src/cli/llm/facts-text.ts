import { describeCounts, inputOf, milliseconds } from '../../audit/report/index.ts';
import { oneLine } from '../listing.ts';
import type { ModelEntry, TextsState } from './calls.ts';
import type { DlpEntry } from './show.ts';

/** What the journal knows of a call, a line for each. */
export function factsText(entry: ModelEntry, found: readonly DlpEntry[], texts: TextsState): string {
  const { seq, log, time, session, agent, provider, model, operation, host, port, status, completeness, tokens, usd, prices, duration, firstByte, toolCalls, refusal } = entry;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['call', `${seq}${log === undefined ? '' : ` (${log})`}`],
    ['ended', time],
    ['session', session],
    ...(agent === undefined ? [] : [['agent', agent] as const]),
    ['server', `${provider} at ${host}:${port}`],
    ['model', `${model ?? '-'} (${operation})`],
    ['answer', refusal === undefined ? `${status === 0 ? 'none' : status}${completeness === 'partial' ? ', cut short' : ''}` : `refused: ${refusal.code}: ${refusal.message}`],
    ['took', `${milliseconds(duration)}${firstByte === undefined ? '' : `, ${milliseconds(firstByte)} until the answer began`}`],
    ['tokens', tokens === undefined ? '?' : `${inputOf(tokens)} in (${tokens.cacheRead} from a cache, ${tokens.cacheWrite5m + tokens.cacheWrite1h} into one), ${tokens.output} out (${tokens.reasoning} of reasoning)`],
    ['cost', usd === null ? '?' : `${usd.toFixed(6)} USD by ${prices}`],
    ...found.map(({ rule, decision, found: counts }) => ['found', `${describeCounts(counts)}: ${decision} by ${rule}`] as const),
    ...toolCalls.map(({ name, arguments: words }) => ['tool', `${name} ${words}`] as const),
    ['texts', textsWords[texts]],
  ];
  return facts.map(([name, value]) => `${name.padEnd(nameWidth)}${oneLine(value)}\n`).join('');
}

const nameWidth = 10;
const textsWords: Readonly<Record<TextsState, string>> = { kept: 'kept', gone: 'gone: too old, or too much was kept after them', lost: 'lost: they could not be written', none: 'not kept' };
