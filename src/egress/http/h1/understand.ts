import { authorityOf } from '../authority.ts';
import { type Asked, clientView } from '../decide-request.ts';
import { tokensOf, valuesOf } from '../fields.ts';
import { endToEnd } from '../hop-by-hop.ts';
import type { Fields } from '../message.ts';
import type { InterceptContext } from '../types.ts';
import { problem, type Problem } from './field-lines.ts';
import { type Framing, requestFraming } from './framing.ts';
import type { RequestHead } from './request-head.ts';
import { originForm } from './target.ts';
import { upgradeOf } from './websocket.ts';

/** What happens to the client's connection after the answer. */
export type Persistence = 'keep' | 'close';

/** A request head of which every parser would say the same. */
export interface Understood {
  readonly kind: 'understood';
  readonly asked: Asked;
  readonly framing: Framing;
  /** End-to-end fields without `Host`. */
  readonly fields: Fields;
  readonly persistence: Persistence;
  /** Whether the client may be waiting for a 100 before it sends its content. */
  readonly expectation: 'none' | '100-continue';
}

/** Takes a head apart, or says what in it could be read in two ways. */
export function understand(head: RequestHead, context: InterceptContext): Understood | Problem {
  const authority = hostOf(head, context);
  if (authority.kind === 'problem') return authority;
  const framing = requestFraming(head);
  if (framing.kind === 'problem') return framing;
  const form = head.method === 'CONNECT' ? anyForm : originForm(head.target, head.method, clientView(context));
  if (form.kind === 'problem') return form;
  const upgrade = upgradeOf(head);
  if (upgrade.kind === 'problem') return upgrade;
  if (upgrade.kind === 'websocket' && framing.kind !== 'none') return problem(400, 'A WebSocket handshake has no content.');
  const expectation = expectationOf(head.fields);
  if (expectation.kind === 'problem') return expectation;
  return {
    kind: 'understood',
    asked: { method: head.method, authority: authority.host, target: form.target, upgrade: upgrade.kind === 'websocket' ? 'websocket' : undefined },
    framing,
    fields: endToEnd(head.fields).filter(({ key }) => key !== 'host'),
    persistence: persistenceOf(head),
    expectation: expectation.kind,
  };
}

/** CONNECT has a form of its own. That it is refused, and why, is for the decision to say. */
const anyForm = { kind: 'origin-form', target: '*' } as const;

interface HostField {
  readonly kind: 'host';
  readonly host: string;
}

/** HTTP/1.0 had no `Host`: the destination is known all the same. */
function hostOf({ minor, fields }: RequestHead, context: InterceptContext): HostField | Problem {
  const [host, ...more] = valuesOf(fields, 'host');
  if (more.length > 0) return problem(400, 'There are several Host fields.');
  if (host !== undefined) return { kind: 'host', host };
  if (minor === 1) return problem(400, 'There is no Host field.');
  const { destination, scheme } = clientView(context);
  return { kind: 'host', host: authorityOf(destination, scheme) };
}

interface Expectation {
  readonly kind: Understood['expectation'];
}

function expectationOf(fields: Fields): Expectation | Problem {
  const expected = tokensOf(fields, 'expect');
  if (expected.length === 0) return { kind: 'none' };
  return expected.every((value) => value === '100-continue') ? { kind: '100-continue' } : problem(417, 'The only expectation that can be met is 100-continue.');
}

function persistenceOf({ minor, fields }: RequestHead): Persistence {
  const connection = [...tokensOf(fields, 'connection'), ...tokensOf(fields, 'proxy-connection')];
  if (connection.includes('close')) return 'close';
  return minor === 1 || connection.includes('keep-alive') ? 'keep' : 'close';
}
