import { type OutgoingRequest, type Refused, valueOf, withField } from '../../../egress/index.ts';
import { groupOf } from '../../../policy/index.ts';
import { misused } from '../../inject/misuse.ts';
import { refused } from '../../inject/refusals.ts';
import type { HttpInjectionKind, InjectorParts } from '../../inject/types.ts';
import { bytesBody, readBytes } from './bytes-body.ts';
import { type GrantSlots, replaceParameter } from './replace-parameter.ts';

export interface FillOptions {
  readonly slots: GrantSlots;
  /** What a phantom of that role stands for in a parameter; undefined where it is not good there. */
  realOf(parameter: string, role: string): string | undefined;
}

/** A token request with the real one in its form, or in the JSON that some send. Every other phantom in it is misplaced. RFC 6749 §3.2 has no method but POST. */
export async function fillGrant<Kind extends HttpInjectionKind>(request: OutgoingRequest, { slots, realOf }: FillOptions, { context, connection, credential }: InjectorParts<Kind>): Promise<OutgoingRequest | Refused> {
  const { registry } = context;
  const name = groupOf(credential);
  const content = { text: (await readBytes(request.body)).toString('latin1'), type: typeOf(request) };
  const filled = replaceParameter(content, request.method === 'POST' ? slots : new Map(), (parameter, text) => {
    const owner = registry.lookUp(text);
    return owner?.state === 'good' && owner.credential === name ? realOf(parameter, owner.role) : undefined;
  });
  const bytes = Buffer.from(filled, 'latin1');
  if (registry.findIn(bytes).length === 0) return { ...request, fields: withField(request.fields, 'Content-Length', String(bytes.length)), body: bytesBody(bytes) };
  const where = { destination: connection.destination, place: 'the body' };
  context.alarm({ kind: 'phantom-misplaced', credential: name, ...where });
  return refused(misused('phantom-misplaced', name, where));
}

function typeOf({ fields }: OutgoingRequest): 'form' | 'json' {
  return /^application\/x-www-form-urlencoded/iu.test(valueOf(fields, 'content-type') ?? '') ? 'form' : 'json';
}
