import schema from '../../../docs/policy.schema.json' with { type: 'json' };
import type { CommandInput } from '../command.ts';

/** `holdfast policy schema`: the policy language as JSON Schema, for editors. */
export function printSchema({ io }: CommandInput): number {
  io.stdout.write(`${JSON.stringify(schema, undefined, 2)}\n`);
  return 0;
}
