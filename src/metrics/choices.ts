import type { JournalEvent } from '../audit/index.ts';
import { features } from '../policy/features/index.ts';
import { mergedEventSchemas } from '../policy/features/merge.ts';

/** The schema of each type of event. */
export const eventSchemaBy = new Map(
  mergedEventSchemas(features).map((schema) => [schema.entries.type.literal, schema] as const),
);

/** All types of events. */
export const eventTypes = [...eventSchemaBy.keys()];

/** Returns the words that the schema of an event allows at a path, such as the decisions of an approval. */
export function choicesOf(type: JournalEvent['type'], ...path: readonly string[]): readonly string[] {
  const part = path.reduce<unknown>(entryOf, eventSchemaBy.get(type));
  const { options } = fieldsOf(part);
  const words = Array.isArray(options) ? options.flatMap(wordOf) : [];
  if (words.length > 0) return words;
  throw new TypeError(`the event ${type} has no choice of words at ${path.join('.')}`);
}

function entryOf(schema: unknown, name: string): unknown {
  return unwrapped(fieldsOf(fieldsOf(schema)['entries'])[name]);
}

/** For an optional field, returns the schema of its value. */
function unwrapped(schema: unknown): unknown {
  const { wrapped } = fieldsOf(schema);
  return wrapped === undefined ? schema : unwrapped(wrapped);
}

/** Options are words, or objects that are distinguished by the word in their `kind`. */
function wordOf(option: unknown): readonly string[] {
  if (typeof option === 'string') return [option];
  const { literal } = fieldsOf(entryOf(option, 'kind'));
  return typeof literal === 'string' ? [literal] : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
