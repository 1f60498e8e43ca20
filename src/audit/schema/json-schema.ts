import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { techniques } from '../techniques/index.ts';
import { entrySchema, eventSchemas } from './events.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * An entry of the journal as a JSON Schema. Fields are only added, and types of events too: a reader takes what it knows,
 * and leaves the rest. `x-mitre-attack` names the techniques that `techniquesOf` may find.
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
