import type { EventReading } from '../types.ts';
import { editDelta, type EventEditing, withTexts } from './edit-event.ts';
import { valueAt } from './value-at.ts';

/** Changes the texts of a whole answer in place. What is no JSON stays as it is. */
export function editDocument(data: string, { dialect, meter, channels }: EventEditing): string {
  const document = parsed(data);
  if (document === undefined) return data;
  meter.read(document, undefined);
  const { deltas, tools = [] }: EventReading = dialect.readDocument(document);
  channels.name(tools);
  const texts = new Map<string, string>();
  for (const delta of deltas) {
    editDelta(delta, document, { channels, texts });
    if (delta.kind === 'arguments-value') continue;
    const rest = channels.finish(delta);
    if (rest === '') continue;
    const key = JSON.stringify(delta.path);
    texts.set(key, (texts.get(key) ?? String(valueAt(document, delta.path))) + rest);
  }
  return texts.size === 0 ? data : (withTexts(data, deltas, { channels, texts }) ?? data);
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
