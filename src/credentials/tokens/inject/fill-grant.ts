import { type OutgoingRequest, fieldValue, withField } from '../../../egress/http/message.ts';
import type { Refused } from '../../../egress/types.ts';
import { groupOf } from '../../../policy/credentials/types.ts';
import { misused, refusedWith } from '../../inject/misuse.ts';
import type { HttpInjectionKind, InjectorParts } from '../../inject/types.ts';
import { bytesBody, readBytes, replaceFields, replaceStrings } from './json-strings.ts';

export interface GrantOptions {
  readonly slots: GrantSlots;
  /** Returns the real value for the phantom of a role in a parameter. Undefined if that phantom is not valid there. */
  realOf(parameter: string, role: string): string | undefined;
}

/**
 * Puts the real value into the form of a token request, or into the JSON that some clients send. Any other phantom in
 * the request is misplaced. RFC 6749 §3.2 allows only POST.
 */
export async function fillGrant<Kind extends HttpInjectionKind>(
  request: OutgoingRequest,
  { slots, realOf }: GrantOptions,
  { context, connection, credential }: InjectorParts<Kind>,
): Promise<OutgoingRequest | Refused> {
  const { registry } = context;
  const name = groupOf(credential);
  const content = { text: (await readBytes(request.body)).toString('latin1'), type: typeOf(request) };
  const filled = replaceParameter(content, request.method === 'POST' ? slots : new Map(), (parameter, text) => {
    const owner = registry.lookUp(text);
    return owner?.state === 'good' && owner.credential === name ? realOf(parameter, owner.role) : undefined;
  });
  const bytes = Buffer.from(filled, 'latin1');
  if (registry.findIn(bytes).length === 0)
    return {
      ...request,
      fields: withField(request.fields, 'Content-Length', String(bytes.length)),
      body: bytesBody(bytes),
    };
  const where = { destination: connection.destination, place: 'the body' };
  context.alarm({ kind: 'phantom-misplaced', credential: name, ...where });
  return refusedWith(misused('phantom-misplaced', name, where));
}

function typeOf({ fields }: OutgoingRequest): 'form' | 'json' {
  return /^application\/x-www-form-urlencoded/iu.test(fieldValue(fields, 'content-type') ?? '') ? 'form' : 'json';
}

/** The parameter that may hold a phantom, by the `grant_type` of a token request. */
export type GrantSlots = ReadonlyMap<string, string>;

interface TokenRequestText {
  /** One character for each byte. */
  readonly text: string;
  readonly type: 'form' | 'json';
}

/**
 * Replaces the parameter of the grant in a token request (RFC 6749 §4.3.2 and §6). Leaves the request unchanged if the
 * grant or the parameter occurs twice, or if `realOf` returns undefined.
 */
export function replaceParameter(
  { text, type }: TokenRequestText,
  slots: GrantSlots,
  realOf: (parameter: string, value: string) => string | undefined,
): string {
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

/** Returns true if a secret replaced a phantom in `Authorization`, or was added to it. */
export function heldPhantom<Kind extends HttpInjectionKind>(
  { fields }: OutgoingRequest,
  { credential, context }: InjectorParts<Kind>,
): boolean {
  return (
    credential.use === 'always' ||
    context.registry.findIn(Buffer.from(fieldValue(fields, 'authorization') ?? '', 'latin1')).length > 0
  );
}
