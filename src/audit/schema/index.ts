/**
 * The published schema of the journal: what `docs/audit-events.schema.json` is written from. A development tool: nothing
 * that runs loads it, and no event is validated on its way into the journal; the types hold there.
 */
export { auditJsonSchema } from './json-schema.ts';
export { entrySchema, eventSchemas } from './events.ts';
