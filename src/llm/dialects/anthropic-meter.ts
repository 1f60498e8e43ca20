import type { Usage } from '../types.ts';
import { at, indexAt, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import type { MeterNotes, ReadForMeter } from '../usage/meter.ts';
import { mostTokens, tokensAt } from '../usage/tokens.ts';

/** Returns a reader for the meter of one answer. It keeps the counts so far. */
export function readAnthropicForMeter(): ReadForMeter {
  let counts: AnthropicCounts | undefined;
  const tell = (usage: unknown, notes: MeterNotes): void => {
    counts = mergeAnthropicCounts(counts, usage);
    notes.usage(anthropicUsage(counts));
  };
  return (event, notes) => {
    switch (textAt(event, 'type')) {
      case 'message':
        readMessage(event, notes);
        tell(at(event, 'usage'), notes);
        return notes.finished('whole');
      case 'message_start':
        readMessage(at(event, 'message'), notes);
        return tell(at(event, 'message', 'usage'), notes);
      case 'message_delta':
        return tell(at(event, 'usage'), notes);
      case 'message_stop':
        return notes.finished('whole');
      default:
        return readBlockEvent(event, notes);
    }
  };
}

function readMessage(message: unknown, notes: MeterNotes): void {
  notes.model(at(message, 'model'));
  for (const [index, block] of listAt(message, 'content').entries()) readBlock(block, `content.${index}`, notes);
}

function readBlock(block: unknown, key: string, { tools }: MeterNotes): void {
  if (!/^(?:tool_use|server_tool_use|mcp_tool_use)$/u.test(textAt(block, 'type') ?? '')) return;
  tools.begin(key, { name: textAt(block, 'name'), id: textAt(block, 'id') });
  const input = at(block, 'input');
  if (isRecord(input) && Object.keys(input).length > 0) tools.set(key, input);
}

function readBlockEvent(event: unknown, notes: MeterNotes): void {
  const key = `content.${indexAt(event, 'index', 0)}`;
  if (textAt(event, 'type') === 'content_block_start') readBlock(at(event, 'content_block'), key, notes);
  if (textAt(event, 'delta', 'type') === 'input_json_delta')
    notes.tools.add(key, textAt(event, 'delta', 'partial_json') ?? '');
  // The legacy /v1/complete has no usage and no other relevant events.
  if (textAt(event, 'completion') !== undefined) notes.model(at(event, 'model'));
  if (textAt(event, 'completion') !== undefined && textAt(event, 'stop_reason') !== undefined) notes.finished('whole');
}

/** Latest counts of a `usage` object, merged over the events of a stream. */
type AnthropicCounts = Readonly<
  Record<'input' | 'cacheRead' | 'written' | 'written5m' | 'written1h' | 'output' | 'thinking', number | undefined>
> & {
  readonly compaction: readonly Usage[];
};

/**
 * The last count of each field applies. `message_delta` is cumulative, and some of its fields may be null. Source:
 * @anthropic-ai/sdk 1.12.0, `MessageDeltaUsage`.
 */
export function mergeAnthropicCounts(before: AnthropicCounts | undefined, usage: unknown): AnthropicCounts | undefined {
  if (!isRecord(usage)) return before;
  const compaction = compactionsOf(usage);
  return {
    input: tokensAt(usage, 'input_tokens') ?? before?.input,
    cacheRead: tokensAt(usage, 'cache_read_input_tokens') ?? before?.cacheRead,
    written: tokensAt(usage, 'cache_creation_input_tokens') ?? before?.written,
    written5m: tokensAt(usage, 'cache_creation', 'ephemeral_5m_input_tokens') ?? before?.written5m,
    written1h: tokensAt(usage, 'cache_creation', 'ephemeral_1h_input_tokens') ?? before?.written1h,
    output: tokensAt(usage, 'output_tokens') ?? before?.output,
    thinking: tokensAt(usage, 'output_tokens_details', 'thinking_tokens') ?? before?.thinking,
    compaction: compaction.length > 0 ? compaction : (before?.compaction ?? []),
  };
}

/** `input_tokens` excludes cached tokens. Cache writes without a tier last five minutes, the default. */
export function anthropicUsage(counts: AnthropicCounts | undefined): Usage | undefined {
  if (counts === undefined || (counts.input === undefined && counts.output === undefined)) return undefined;
  const [written5m, written1h] = [counts.written5m ?? 0, counts.written1h ?? 0];
  const output = counts.output ?? 0;
  const told: Usage = {
    uncachedInput: counts.input ?? 0,
    cacheRead: counts.cacheRead ?? 0,
    cacheWrite5m: written5m + Math.max(0, (counts.written ?? 0) - written5m - written1h),
    cacheWrite1h: written1h,
    output,
    reasoning: Math.min(counts.thinking ?? 0, output),
  };
  return counts.compaction.reduce(addUsage, told);
}

/**
 * A compaction is a separate call, which the top-level fields do not include. Source: `BetaUsage.iterations` in the
 * same SDK.
 */
function compactionsOf(usage: unknown): readonly Usage[] {
  return listAt(usage, 'iterations')
    .slice(0, 100)
    .filter((entry) => isRecord(entry) && entry['type'] === 'compaction')
    .flatMap(
      (entry) => anthropicUsage(mergeAnthropicCounts(undefined, { ...(entry as object), iterations: null })) ?? [],
    );
}

function addUsage(one: Usage, other: Usage): Usage {
  const sum = (field: keyof Usage): number => Math.min(one[field] + other[field], mostTokens);
  return {
    uncachedInput: sum('uncachedInput'),
    cacheRead: sum('cacheRead'),
    cacheWrite5m: sum('cacheWrite5m'),
    cacheWrite1h: sum('cacheWrite1h'),
    output: sum('output'),
    reasoning: sum('reasoning'),
  };
}
