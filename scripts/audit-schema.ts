/**
 * Writes `docs/audit-events.schema.json`, the entries of the journal for other programs, from the schema beside the
 * code.
 */
import { writeFileSync } from 'node:fs';
import { auditJsonSchema } from './json-schemas/audit.ts';

writeFileSync('docs/audit-events.schema.json', `${JSON.stringify(auditJsonSchema(), undefined, 2)}\n`);
