import { namesDestination } from '../../http/authority.ts';
import { valuesOf } from '../../http/fields.ts';
import { closeGently } from '../../http/h1/linger.ts';
import { parseRequestHead, type RequestHead } from '../../http/h1/request-head.ts';
import { refusePlain } from '../../http/refusals.ts';
import type { Destination, EgressRefusal } from '../../types.ts';
import type { Admission } from '../admission.ts';
import { proxied } from '../answers.ts';
import { malformedHost, malformedRequest, mismatchedHost, notByProxy, unauthorised } from '../refusals.ts';
import type { ProxiedConnection } from '../types.ts';
import { inOriginForm, parseAbsoluteForm } from './absolute-form.ts';
import { parseAuthorityForm } from './authority-form.ts';
import { isAuthorised } from './credentials.ts';
import { parseHead } from './head.ts';

/** Reads one request head, admits its sender and finds out where it wants to go. Undefined when it has had its answer, or left. */
export async function serveHttpProxy(admission: Admission): Promise<ProxiedConnection | undefined> {
  const read = await admission.bytes.read(parseHead);
  switch (read.kind) {
    case 'ended':
      return void admission.client.destroy();
    case 'malformed':
      return refuse(admission, malformedRequest(read.reason));
    case 'parsed': {
      const head = parseRequestHead(read.value);
      if (head.kind === 'problem') return refuse(admission, malformedRequest(head.message), { status: head.status });
      if (!isAuthorised(head.fields, admission.guard)) return refuse(admission, unauthorised, { head });
      return head.method === 'CONNECT' ? serveConnect(admission, head) : serveAbsoluteForm(admission, head);
    }
  }
}

/** Source: RFC 9110 §9.3.6. */
function serveConnect(admission: Admission, head: RequestHead): ProxiedConnection | undefined {
  const { client, bytes } = admission;
  const destination = parseAuthorityForm(head.target);
  if (destination === undefined) return refuse(admission, malformedHost, { head });
  if (!agrees(head, destination)) return refuse(admission, mismatchedHost, { head });
  if (hasContent(head)) return refuse(admission, malformedRequest('CONNECT has no content.'), { head });
  bytes.release();
  return proxied({ front: 'connect', destination, client }, {
    reached: () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    refuse: (refusal) => sayRefusal(admission, refusal, { head }),
  });
}

function serveAbsoluteForm(admission: Admission, head: RequestHead): ProxiedConnection | undefined {
  const { client, bytes } = admission;
  if (!/^http:\/\//iu.test(head.target)) return refuse(admission, notByProxy, { head });
  const form = parseAbsoluteForm(head.target, head.method);
  if (form === undefined) return refuse(admission, malformedHost, { head });
  if (!agrees(head, form.destination)) return refuse(admission, mismatchedHost, { head });
  bytes.release(inOriginForm(head, form));
  return proxied({ front: 'absolute-form', destination: form.destination, client }, { reached: () => undefined, refuse: (refusal) => sayRefusal(admission, refusal, { head }) });
}

/** The request line counts (RFC 9112 §3.2.2), but a head that says two things has been put together by nobody's library. */
function agrees({ fields }: RequestHead, destination: Destination): boolean {
  const hosts = valuesOf(fields, 'host');
  return hosts.length <= 1 && hosts.every((host) => namesDestination(host, destination));
}

function hasContent({ fields }: RequestHead): boolean {
  return valuesOf(fields, 'transfer-encoding').length > 0 || valuesOf(fields, 'content-length').some((length) => length !== '0');
}

interface Said {
  readonly head?: RequestHead;
  readonly status?: number;
}

function refuse(admission: Admission, refusal: EgressRefusal, said: Said = {}): undefined {
  return admission.refuse(refusal, () => sayRefusal(admission, refusal, said));
}

function sayRefusal({ client }: Admission, refusal: EgressRefusal, { head, status }: Said): void {
  refusePlain(client, refusal, { ...(head === undefined ? {} : { fields: head.fields }), ...(status === undefined ? {} : { status }) });
  void closeGently(client);
}
