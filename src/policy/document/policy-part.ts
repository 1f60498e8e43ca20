import type { InferOutput, ObjectEntries, ObjectSchema } from 'valibot';

/** The output of a schema, deeply read-only. */
export type DeepReadonly<Type> = Type extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: DeepReadonly<Type[Key]> }
    : Type;

/** The part of a policy under some keys. Code about these keys need not know the others. */
export type PolicyPart<Entries extends ObjectEntries> = DeepReadonly<InferOutput<ObjectSchema<Entries, undefined>>>;
