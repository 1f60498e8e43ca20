import type { ExecutableField, FieldEffect, TrustEntry } from '../types.ts';

/** One executable field, or one script, that changed. Texts are filtered, as fields are. */
export type FieldChange = { readonly path: string; readonly effect: FieldEffect } & Values;
export type ScriptChange = { readonly path: string } & Values;

/** Only `after`: it is new. Only `before`: it is gone. */
type Values =
  | { readonly before: string; readonly after: string }
  | { readonly before: string; readonly after?: undefined }
  | { readonly before?: undefined; readonly after: string };

type WithFields = Pick<TrustEntry, 'fields'>;
type WithScripts = Pick<TrustEntry, 'scripts'>;

/**
 * Returns the differences between the executable fields of a file as approved and as it is. Without an approval, every
 * field is new. Pure.
 */
export function fieldDiff(before: WithFields | undefined, after: WithFields | undefined): readonly FieldChange[] {
  const old = grouped(before?.fields ?? []);
  const fresh = grouped(after?.fields ?? []);
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key) ?? [], fresh.get(key) ?? []];
    const field = is[0] ?? was[0];
    return field === undefined
      ? []
      : valueChanges(
          was.map(({ value }) => value),
          is.map(({ value }) => value),
        ).map((values) => ({ path: field.path, effect: field.effect, ...values }));
  });
}

/**
 * Returns the differences between the scripts that a file names. Their values are hashes, or undefined for a missing
 * script. Pure.
 */
export function scriptDiff(before: WithScripts | undefined, after: WithScripts | undefined): readonly ScriptChange[] {
  const old = new Map(before?.scripts.map(({ path, sha256 }) => [path, sha256 ?? missing]));
  const fresh = new Map(after?.scripts.map(({ path, sha256 }) => [path, sha256 ?? missing]));
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((path) => {
    const [was, is] = [old.get(path), fresh.get(path)];
    return valueChanges(was === undefined ? [] : [was], is === undefined ? [] : [is]).map((values) => ({
      path,
      ...values,
    }));
  });
}

const missing = 'not there';

function grouped(fields: readonly ExecutableField[]): ReadonlyMap<string, readonly ExecutableField[]> {
  return Map.groupBy(fields, ({ path, effect }) => JSON.stringify([path, effect]));
}

/** Without a rule against it, a format may contain the same key several times. */
function valueChanges(before: readonly string[], after: readonly string[]): readonly Values[] {
  const removed = without(before, after);
  const added = without(after, before);
  const [was, is] = [removed[0], added[0]];
  if (removed.length === 1 && added.length === 1 && was !== undefined && is !== undefined)
    return [{ before: was, after: is }];
  return [...removed.map((value) => ({ before: value })), ...added.map((value) => ({ after: value }))];
}

/** Removes as many copies of a value as `others` contains. */
function without(values: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return values.filter((value) => {
    const at = rest.indexOf(value);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}
