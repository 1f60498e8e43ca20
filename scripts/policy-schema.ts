/** Writes `docs/policy.schema.json`, the policy language for editors, from the schema of the code. */
import { writeFileSync } from 'node:fs';
import { policyJsonSchema } from './json-schemas/policy.ts';

writeFileSync('docs/policy.schema.json', `${JSON.stringify(policyJsonSchema(), undefined, 2)}\n`);
