import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import * as v from 'valibot';
import { sha256Part } from '../../src/policy/features/event-parts.ts';
import { features } from '../../src/policy/features/index.ts';
import { mergedEventSchemas as eventSchemasOf } from '../../src/policy/features/merge.ts';
import { techniques } from '../../src/audit/techniques/techniques-of.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of a journal entry. Fields and types of events are only added, so readers ignore unknown
 * ones. `x-mitre-attack` names the techniques that `techniquesOf` may find.
 */
export function auditJsonSchema(): JsonObject {
  const common = convert(entrySchema);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An entry of the Holdfast journal, version 2',
    ...common,
    oneOf: eventSchemas.map(convert),
    'x-mitre-attack': techniques,
  };
}

function convert(schema: GenericSchema): JsonObject {
  const { $schema: _draft, ...converted } = toJsonSchema(schema, { target: 'draft-2020-12' });
  return converted;
}

/** One schema for each type of event, in the order of the features. */
export const eventSchemas = eventSchemasOf(features);

/** Fields of every entry. */
export const entrySchema = v.object({
  v: v.pipe(v.literal(2), v.description('version of the format')),
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  time: v.pipe(v.string(), v.isoTimestamp()),
  prev: sha256Part,
  mac: v.pipe(
    sha256Part,
    v.description('HMAC-SHA256, with the key beside the journal, over the bytes of the line before `,"mac":`'),
  ),
});
