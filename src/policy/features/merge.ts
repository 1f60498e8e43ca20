import * as v from 'valibot';
import type { CommandRow, EventSchema, Feature, LimitRow, EscapeProof } from './feature.ts';
import type { PatternLanguage } from './pattern-language.ts';

type UnionToIntersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Intersection,
) => void
  ? Intersection
  : never;
/** One object, as readers of a type expect. */
type Flat<Type> = { readonly [Key in keyof Type]: Type[Key] };
type Merged<All extends readonly Feature[], Field extends keyof Feature> = Flat<
  UnionToIntersection<
    All[number] extends infer One ? (One extends { readonly [Key in Field]: infer Value } ? Value : never) : never
  >
>;

/** Keys at the top of a policy. */
export type PolicyEntries<All extends readonly Feature[]> = Merged<All, 'policy'> & {
  readonly limits: v.OptionalSchema<v.StrictObjectSchema<LimitEntries<All>, undefined>, undefined>;
};

/** Keys of `[limits]`. */
export type LimitRows<All extends readonly Feature[]> = Merged<All, 'limits'>;
export type LimitEntries<All extends readonly Feature[]> = {
  readonly [Key in keyof LimitRows<All>]: LimitRows<All>[Key] extends {
    readonly entry: infer Entry extends v.GenericSchema;
  }
    ? Entry
    : never;
};

/** Paths of single words, by their names in layers. */
export type SettingPlaces<All extends readonly Feature[]> = Merged<All, 'settings'>;

/** Schemas of the features' journal events. */
export type EventSchemas<All extends readonly Feature[]> = All[number] extends infer One
  ? One extends { readonly events: readonly (infer Event)[] }
    ? Event
    : never
  : never;

/** Orders keys by their features. `[limits]` comes with the first feature that has a limit. */
export function policyEntries<const All extends readonly Feature[]>(all: All): PolicyEntries<All> {
  const limits = v.optional(v.strictObject(limitEntries(all)));
  return merged(
    all.map((feature): v.ObjectEntries => ({ ...feature.policy, ...(feature.limits === undefined ? {} : { limits }) })),
  ) as PolicyEntries<All>;
}

export function limitRows(all: readonly Feature[]): Readonly<Record<string, LimitRow>> {
  return merged(all.map(({ limits }) => limits ?? {}));
}

function limitEntries<const All extends readonly Feature[]>(all: All): LimitEntries<All> {
  return Object.fromEntries(
    Object.entries(limitRows(all)).map(([key, { entry }]) => [key, entry]),
  ) as LimitEntries<All>;
}

export function settingPlaces<const All extends readonly Feature[]>(all: All): SettingPlaces<All> {
  return merged(all.map(({ settings }) => settings ?? {})) as SettingPlaces<All>;
}

export function patternLanguages(all: readonly Feature[]): Readonly<Record<string, PatternLanguage>> {
  return merged(all.map(({ patterns }) => patterns ?? {}));
}

export function mergedEventSchemas<const All extends readonly Feature[]>(all: All): readonly EventSchemas<All>[] {
  return all.flatMap(
    ({ events }): readonly EventSchema[] => events ?? [],
  ) as readonly unknown[] as readonly EventSchemas<All>[];
}

export function commandRows(all: readonly Feature[]): readonly CommandRow[] {
  return all.flatMap(({ commands }) => commands ?? []);
}

export function escapeProofs(all: readonly Feature[]): readonly EscapeProof[] {
  return all.flatMap(({ proofs }) => proofs ?? []);
}

function merged<Value>(parts: readonly Readonly<Record<string, Value>>[]): Readonly<Record<string, Value>> {
  return Object.assign({}, ...parts) as Readonly<Record<string, Value>>;
}
