import { toJsonSchema } from '@valibot/to-json-schema';
import { policySchema } from '../../src/policy/document/schema.ts';

/**
 * Returns the policy language as a JSON Schema, for editors. A development tool: users get `docs/policy.schema.json`.
 */
export function policyJsonSchema(): Readonly<Record<string, unknown>> {
  return { ...toJsonSchema(policySchema, { target: 'draft-2020-12' }) };
}
