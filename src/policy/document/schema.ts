import * as v from 'valibot';
import { type Features, features } from '../features/index.ts';
import { type PolicyEntries, policyEntries } from '../features/merge.ts';

const version = v.pipe(v.literal(1), v.description('Version of the policy language'));

/** Named, and without descriptions, because the package's declarations would spell all of them out. */
export type PolicySchema<Entries extends v.ObjectEntries> = v.StrictObjectSchema<
  { readonly version: typeof version } & Entries,
  undefined
>;

/** Returns the schema of the features' keys. Every object is strict: an unknown key is an error. */
export function policySchemaOf<Entries extends v.ObjectEntries>(entries: Entries): PolicySchema<Entries> {
  const schema = v.pipe(
    v.strictObject({ version, ...entries }),
    v.title('Holdfast policy'),
    v.description('Files, commands and hosts that a sandboxed command may use'),
  );
  return schema as unknown as PolicySchema<Entries>;
}

/** The only source of the policy's types and of its JSON Schema. */
export const policySchema: PolicySchema<PolicyEntries<Features>> = policySchemaOf(policyEntries(features));
