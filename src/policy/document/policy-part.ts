import type { InferOutput, ObjectEntries, ObjectSchema } from 'valibot';

/** What a schema gives, as data that nobody changes. */
export type DeepReadonly<Type> = Type extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: DeepReadonly<Type[Key]> }
    : Type;

/** The part of a policy that some of its keys make: what is about these keys alone needs to know no others. */
export type PolicyPart<Entries extends ObjectEntries> = DeepReadonly<InferOutput<ObjectSchema<Entries, undefined>>>;
