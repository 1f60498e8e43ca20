import schema from '../../../docs/policy.schema.json' with { type: 'json' };
import type { CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';

/** `holdfast policy schema`: the policy language as JSON Schema, for editors. */
export function printSchema({ io }: CommandInput): number {
  io.stdout.write(jsonText(schema));
  return 0;
}
