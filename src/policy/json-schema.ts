import { toJsonSchema } from '@valibot/to-json-schema';
import { policySchema } from './document/schema.ts';

/**
 * The policy language as a JSON Schema, for editors. A development tool: `docs/policy.schema.json` is what users get.
 */
export function policyJsonSchema(): Readonly<Record<string, unknown>> {
  return { ...toJsonSchema(policySchema, { target: 'draft-2020-12' }) };
}
