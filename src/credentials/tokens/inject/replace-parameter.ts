import { replaceFields } from './form-fields.ts';
import { replaceStrings } from './json-strings.ts';

/** By the `grant_type` of a token request: the parameter that a phantom may be the value of. */
export type GrantSlots = ReadonlyMap<string, string>;

export interface TokenRequestText {
  /** One character for each byte. */
  readonly text: string;
  readonly type: 'form' | 'json';
}

/**
 * A token request (RFC 6749 §4.3.2 and §6) with another value of the parameter that its grant has. As it is where it says
 * its grant or the parameter twice, and where `realOf` gives undefined.
 */
export function replaceParameter({ text, type }: TokenRequestText, slots: GrantSlots, realOf: (parameter: string, value: string) => string | undefined): string {
  const replace = type === 'form' ? replaceFields : replaceStrings;
  const said = new Map<string, unknown[]>();
  replace(text, (name: string, value: unknown) => {
    const values = said.get(name) ?? [];
    values.push(value);
    said.set(name, values);
    return undefined;
  });
  const parameter = slots.get(String(only(said.get('grant_type'))));
  const value = parameter === undefined ? undefined : only(said.get(parameter));
  const real = parameter === undefined || typeof value !== 'string' ? undefined : realOf(parameter, value);
  if (real === undefined) return text;
  return replace(text, (name: string) => (name === parameter ? real : undefined)) ?? text;
}

function only(values: readonly unknown[] = []): unknown {
  return values.length === 1 ? values[0] : undefined;
}
