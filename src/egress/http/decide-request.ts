import { normaliseHost } from '../../policy/normalise/host.ts';
import type { HttpRequest } from '../../policy/request.ts';
import { type Decision, stricter, type Verdict } from '../../policy/verdict.ts';
import { settleAsk } from '../approval.ts';
import { meansHost } from '../loopback-names.ts';
import type { Authority, Destination, EgressRefusal, Refused, RequestRecord } from '../types.ts';
import type { IdleConnections } from './h1/idle-connections.ts';
import type { Interceptor } from './interceptor.ts';
import type { Alpn, Fields, Scheme, Upstream } from './message.ts';
import { meanings } from './overrides.ts';
import { pathProblem, readingsOf } from './url-path.ts';

/** The destination as the client names it. */
export interface ClientView {
  readonly scheme: Scheme;
  readonly destination: Destination;
}

/** Facts about a client whose connection has been decided. */
export interface InterceptContext {
  readonly scheme: Scheme;
  /** Protocol of the client. On an `http` connection, HTTP/2 is detected by its preface. */
  readonly alpn: Alpn;
  readonly destination: Destination;
  readonly authority: Authority;
  /**
   * Opens the upstream connection. `alpn` is the required protocol. A connection that speaks the other one is refused
   * with `upstream-protocol`.
   */
  openUpstream(options: { readonly alpn: Alpn }): Promise<Upstream | Refused>;
  readonly interceptors: readonly Interceptor[];
  /**
   * `when-allowed`: opens nothing before a request has been allowed. Default: `ahead`, if the HTTP version needs it.
   */
  readonly dials?: 'ahead' | 'when-allowed';
  /** Present if a rule redirects the destination. */
  readonly redirected?: Destination;
  /** The client's own name for the destination, and its scheme, if these differ from the real ones. HTTP/1.1 only. */
  readonly knownAs?: ClientView;
  /** Called once for each request, when its answer begins or it is refused. */
  record(record: RequestRecord): void;
  /**
   * Idle HTTP/1.1 connections that earlier clients have left open. Absent: a client's own connections end with the
   * client.
   */
  readonly idle?: IdleConnections;
}

/** A request line, or the pseudo-fields of HTTP/2. */
export interface RequestLine {
  readonly method: string;
  readonly authority: string;
  /** Path and query, or `*`. */
  readonly target: string;
  readonly upgrade?: 'websocket' | undefined;
  /** Fields in which the client may name another method or target. */
  readonly fields?: Fields;
}

/** A refusal with an HTTP status of its own. */
export interface RefusedRequest extends Refused {
  readonly status?: number;
}

export interface Allowed {
  readonly kind: 'allowed';
  readonly verdict: Verdict;
}

/** Returns the request as rules see it, even if it is not acceptable. */
export function httpRequestOf(
  { method, target, upgrade }: RequestLine,
  { scheme, destination }: InterceptContext,
): HttpRequest {
  return {
    kind: 'http',
    method,
    scheme: upgrade === undefined ? scheme : webSocketScheme[scheme],
    ...destination,
    path: pathOf(target),
  };
}

/** Returns the destination as the client names it: its own name and scheme, or those of a route to it. */
export function clientView(context: InterceptContext): ClientView {
  return context.knownAs ?? context;
}

/**
 * Decides a parsed request: checks its method, its authority and its path, and then asks the policy. `signal` aborts
 * when the client is gone.
 */
export async function decideRequest(
  asked: RequestLine,
  context: InterceptContext,
  signal?: AbortSignal,
): Promise<Allowed | RefusedRequest> {
  if (/^(?:trace|track|connect)$/iu.test(asked.method)) {
    return malformedHttp(
      `${asked.method.toUpperCase()} is not relayed: it would reveal fields that Holdfast added, or open a tunnel inside the connection.`,
      405,
    );
  }
  const { destination } = clientView(context);
  if (!namesDestination(asked.authority, destination)) return mismatch(asked.authority, destination);
  const requests = meanings(asked).map((meaning) => httpRequestOf({ ...asked, ...meaning }, context));
  const [request = httpRequestOf(asked, context)] = requests;
  const problem = requests.map(({ path }) => pathProblem(path)).find((each) => each !== undefined);
  if (problem !== undefined) return malformedHttp(`The path holds ${problem}.`);
  if (requests.some(({ path }) => path !== request.path && !path.startsWith('/')))
    return malformedHttp('A field of the request names another path, and that path is not a plain one.');
  const decided = strictest(requests.flatMap((each) => verdictsOn(each, context)));
  const verdict = await settleAsk(context.authority, {
    request,
    verdict: decided,
    ...(signal === undefined ? {} : { signal }),
  });
  return passes[verdict.decision]
    ? { kind: 'allowed', verdict }
    : refused({ code: 'policy', message: verdict.message, remedy: verdict.remedy, verdict });
}

function verdictsOn(request: HttpRequest, { authority, redirected }: InterceptContext): readonly Verdict[] {
  // Attack: a project's redirect would bypass the rules about requests to its target.
  const asWhat = redirected === undefined ? [request] : [request, { ...request, ...redirected }];
  return readingsOf(request.path).flatMap((path) => asWhat.map((each) => authority.decide({ ...each, path })));
}

/** A request that two parsers could read differently. `message` is one line without any bytes of the client. */
export function malformedHttp(message: string, status?: number): RefusedRequest {
  const refusal: EgressRefusal = {
    code: status === 421 ? 'authority-mismatch' : 'malformed-request',
    message,
    remedy: 'Send the request in its plain form: a mainstream HTTP client does so by itself.',
  };
  return { ...refused(refusal), ...(status === undefined ? {} : { status }) };
}

export function refused(refusal: EgressRefusal): Refused {
  return { kind: 'refused', refusal };
}

const passes: Readonly<Record<Decision, boolean>> = {
  allow: true,
  audit: true,
  redirect: false,
  stage: false,
  ask: false,
  deny: false,
};

const webSocketScheme = { http: 'ws', https: 'wss' } as const satisfies Readonly<Record<Scheme, string>>;

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((worst, verdict) =>
    verdict.decision !== worst.decision && stricter(verdict.decision, worst.decision) === verdict.decision
      ? verdict
      : worst,
  );
}

function mismatch(authority: string, destination: Destination): RefusedRequest {
  const shown = authority.replaceAll(/[^\u0021-\u007e]/gu, '?').slice(0, 100);
  return refused({
    code: 'authority-mismatch',
    message: `The request is for "${shown}" but the connection was opened, and decided, for ${destination.host}:${destination.port}.`,
    remedy: `Open a connection of its own for "${shown}".`,
  });
}

/**
 * Returns true if `Host` or `:authority` names the destination. The port may be omitted. Credentials, escapes and
 * non-ASCII bytes never match, because another parser could read another name in them.
 */
export function namesDestination(authority: string, destination: Destination): boolean {
  const parts = /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/iu.exec(authority);
  if (parts === null) return false;
  const [, name = '', said] = parts;
  const host = normaliseHost(name);
  return (
    host !== undefined &&
    meansHost(host.text, destination.host) &&
    (said === undefined || Number(said) === destination.port)
  );
}

/** Returns `Host` or `:authority` of a destination, without the scheme's default port. */
export function authorityOf({ host, port }: Destination, scheme: Scheme): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === defaultPorts[scheme] ? name : `${name}:${port}`;
}

const defaultPorts: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };
