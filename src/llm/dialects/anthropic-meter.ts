import { anthropicUsage, mergeAnthropicCounts } from '../usage/anthropic-usage.ts';
import type { AnthropicCounts } from '../usage/anthropic-usage.ts';
import { at, indexAt, isObject, listAt, textAt } from '../usage/hostile-json.ts';
import type { MeterNotes, ReadForMeter } from '../usage/meter.ts';

/** A reader for meters of one answer: it keeps the counts that the answer told so far. */
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
  if (isObject(input) && Object.keys(input).length > 0) tools.set(key, input);
}

function readBlockEvent(event: unknown, notes: MeterNotes): void {
  const key = `content.${indexAt(event, 'index', 0)}`;
  if (textAt(event, 'type') === 'content_block_start') readBlock(at(event, 'content_block'), key, notes);
  if (textAt(event, 'delta', 'type') === 'input_json_delta') notes.tools.add(key, textAt(event, 'delta', 'partial_json') ?? '');
  // Legacy /v1/complete names neither usage nor kinds of events that matter.
  if (textAt(event, 'completion') !== undefined) notes.model(at(event, 'model'));
  if (textAt(event, 'completion') !== undefined && textAt(event, 'stop_reason') !== undefined) notes.finished('whole');
}
