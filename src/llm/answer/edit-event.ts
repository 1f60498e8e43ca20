import type { Delta, Dialect, EventReading, CallMeter } from '../types.ts';
import { type Channels, type HeldText, channelKey } from './channels.ts';

export interface EventEditing {
  readonly dialect: Dialect;
  readonly meter: CallMeter;
  readonly channels: Channels;
  /** `drop`: drops events that exist only because Holdfast asked for usage. The client did not ask for them. */
  readonly usageOnly: 'keep' | 'drop';
}

/** Result for one event. `before` are JSON values of events to write before it. `data` is its new text. */
export type EditedEvent = 'same' | 'drop' | { readonly before: readonly unknown[]; readonly data?: string };

/**
 * Parses the data of one event, and changes its texts in place. Text that is not JSON is metered but stays unchanged.
 */
export function editEvent(
  data: string,
  name: string | undefined,
  { dialect, meter, channels, usageOnly }: EventEditing,
): EditedEvent {
  const event = parsed(data);
  meter.read(event, name);
  if (usageOnly === 'drop' && dialect.isUsageOnly?.(event) === true) return 'drop';
  const reading = dialect.readEvent(event, name);
  if (reading.deltas.length === 0 && reading.closes.length === 0 && reading.tools === undefined) return 'same';
  const texts = new Map<string, string>();
  channels.name(reading.tools ?? []);
  for (const delta of reading.deltas) editDelta(delta, event, { channels, texts });
  const before = settle(reading, { held: channels.close(reading.closes), event, texts });
  const edited = texts.size === 0 ? undefined : withTexts(data, reading.deltas, { channels, texts });
  if (before.length === 0 && (edited === undefined || edited === data)) return 'same';
  return {
    before: before.map(({ delta, text, like }) => dialect.deltaEvent(delta, text, like)),
    ...(edited === undefined ? {} : { data: edited }),
  };
}

interface Texts {
  readonly channels: Channels;
  /** New texts, by their paths as JSON. */
  readonly texts: Map<string, string>;
}

/** Returns the text held back of all open texts at the end of a stream, as JSON values of events. */
export function restOf({ dialect, channels }: EventEditing): readonly unknown[] {
  return channels.close('all').map(({ delta, text, like }) => dialect.deltaEvent(delta, text, like));
}

/** Edits a piece of a text, or each leaf of complete arguments. Such a leaf is a text of its own. */
export function editDelta(delta: Delta, event: unknown, { channels, texts }: Texts): void {
  const value = valueAt(event, delta.path);
  if (delta.kind !== 'arguments-value') {
    const text = typeof value === 'string' ? channels.push(delta, value, event) : undefined;
    if (text !== undefined && text !== value) texts.set(JSON.stringify(delta.path), text);
    return;
  }
  for (const { path, text } of leavesOf(value, delta.path)) {
    const leaf: Delta = { ...delta, channel: `${delta.channel} ${JSON.stringify(path)}`, path };
    const begun = channels.push(leaf, text, event);
    if (begun === undefined) continue;
    const whole = begun + channels.finish(leaf);
    if (whole !== text) texts.set(JSON.stringify(path), whole);
  }
}

interface Settling {
  readonly held: readonly HeldText[];
  readonly event: unknown;
  readonly texts: Map<string, string>;
}

/** If a channel has a piece in this event, its text held back is sent with that piece. */
function settle({ deltas }: EventReading, { held, event, texts }: Settling): readonly HeldText[] {
  if (held.length === 0) return held;
  const last = new Map(
    deltas.filter(({ path }) => typeof valueAt(event, path) === 'string').map((delta) => [channelKey(delta), delta]),
  );
  return held.filter(({ delta, text }) => {
    const own = last.get(channelKey(delta));
    if (own === undefined) return true;
    const key = JSON.stringify(own.path);
    texts.set(key, (texts.get(key) ?? String(valueAt(event, own.path))) + text);
    return false;
  });
}

/** Returns the document with new texts at some paths. Undefined if it cannot be edited. */
export function withTexts(data: string, deltas: readonly Delta[], { channels, texts }: Texts): string | undefined {
  // Attack: an answer of a thousand texts, each of which would be searched for in the positions of all others. Keys
  // below arguments come from the model, so a key with a dot is not part of a pattern.
  const fields =
    deltas.length > mostFields
      ? ['**']
      : deltas.map(({ kind, path }) => (kind === 'arguments-value' ? [...path, '**'] : path).join('.'));
  const edited = channels.editors(fields).editText(data, (_text, path) => texts.get(JSON.stringify(path)));
  return edited.kind === 'json' ? edited.text : undefined;
}

/** Beyond this number, every text of the document is visited. */
const mostFields = 32;

/** Parses an event. An event that is not JSON, such as `[DONE]`, is its text. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

const mostLeaves = 10_000;
/**
 * Most keys of a path that a JSON editor reports. Attack: paths into a document 100,000 deep would have 5 billion keys
 * together.
 */
const longestPath = 64;

function leavesOf(
  value: unknown,
  at: readonly (string | number)[],
): readonly { readonly path: readonly (string | number)[]; readonly text: string }[] {
  const leaves: { readonly path: readonly (string | number)[]; readonly text: string }[] = [];
  const waiting = [{ value, path: at }];
  for (let next = waiting.pop(); next !== undefined && leaves.length < mostLeaves; next = waiting.pop()) {
    const { value: each, path } = next;
    if (typeof each === 'string') leaves.push({ path, text: each });
    else if (path.length >= longestPath) continue;
    else if (Array.isArray(each))
      for (const [index, item] of each.entries()) waiting.push({ value: item, path: [...path, index] });
    else if (typeof each === 'object' && each !== null)
      for (const [key, item] of Object.entries(each)) waiting.push({ value: item, path: [...path, key] });
  }
  return leaves;
}

/** Returns the value at a path of parsed JSON. Undefined for a missing value. Ignores inherited members. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[key];
  }
  return at;
}
