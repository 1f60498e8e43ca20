import type { IncomingResponse, OutgoingRequest, Refused, Send } from '../../egress/index.ts';
import { jsonKeys } from '../../dlp/index.ts';
import type { DlpRule } from '../../policy/index.ts';
import { editContent } from './edit-content.ts';
import { lookAtKeys, lookAtText } from './look-at-text.ts';
import { readContent } from './read-content.ts';
import { refusedContent } from './refused-content.ts';
import type { Found } from './tally.ts';
import { tellFound } from './tell-found.ts';
import type { Looking } from './types.ts';
import { withContent } from './with-content.ts';

/** A request to a host that is no server of models, and that a rule names. Nothing is brought back in its answer: it is not local. */
export async function carryOther(request: OutgoingRequest, send: Send, looked: Looking & { readonly rules: readonly DlpRule[] }): Promise<IncomingResponse | Refused> {
  const { gateway } = looked;
  const isOnlyTold = looked.rules.every(({ decision }) => decision === 'audit');
  // Attack: what goes over a WebSocket goes in messages, which nobody looks into.
  if (request.upgrade !== undefined) return isOnlyTold ? send(request) : refusedContent('WebSockets cannot be looked into', 'use HTTP');
  const rules = gateway.rulesFor(looked.rules);
  // Attack: what may not leave stands in the address, of a request without content.
  const address = rules === undefined ? { found: [] } : lookAtText(Buffer.from(request.target), { rules, fakes: gateway.fakes });
  tellFound(looked, address.found);
  if (address.by !== undefined) return kept(address.by);
  const content = await readContent(request);
  if (content.kind === 'unreadable') return refusedContent('its content cannot be looked into', content.why);
  if (content.kind === 'none' || rules === undefined) return send(request);
  if (content.bytes.length === 0) return send(withContent(request, content, content.bytes));
  const edited = editContent(content.bytes, { rules, fakes: gateway.fakes });
  if (edited.kind !== 'unreadable') {
    const keys = lookAtKeys(jsonKeys(content.bytes), { rules, fakes: gateway.fakes });
    tellFound(looked, [...edited.found, ...keys.found]);
    if (edited.kind === 'blocked') return kept(edited.by);
    return keys.by === undefined ? send(withContent(request, content, edited.bytes)) : kept(keys.by);
  }
  const { found, by } = lookAtText(content.bytes, { rules, fakes: gateway.fakes });
  tellFound(looked, found);
  return by === undefined ? send(withContent(request, content, content.bytes)) : kept(by);
}

function kept({ rule, counts }: Found): Refused {
  return refusedContent(`the rule ${rule.name} keeps it (${Object.keys(counts).join(', ')})`, rule.reason ?? 'it holds what may not leave');
}
