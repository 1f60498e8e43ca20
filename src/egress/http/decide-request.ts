import { normaliseHost } from '../../policy/normalise/host.ts';
import type { HttpRequest } from '../../policy/request.ts';
import { type Decision, stricter, type Verdict } from '../../policy/verdict.ts';
import { settleAsk } from '../approval.ts';
import { meansHost } from '../loopback-names.ts';
import type { Authority, Destination, EgressRefusal, Refused, RequestRecord } from '../types.ts';
import type { IdleConnections } from './h1/idle-connections.ts';
import type { Interceptor } from './interceptor.ts';
import type { Alpn, Scheme, Upstream } from './message.ts';
import { pathProblem, readingsOf } from './url-path.ts';

/** The destination as the client sees it. */
export interface ClientView {
  readonly scheme: Scheme;
  readonly destination: Destination;
}

/** What the interception needs to know of a client whose connection has been decided. */
export interface InterceptContext {
  readonly scheme: Scheme;
  /** What the client speaks. On an `http` connection the preface of HTTP/2 is found out by itself. */
  readonly alpn: Alpn;
  readonly destination: Destination;
  readonly authority: Authority;
  /** `alpn` is what is needed; a connection that speaks the other is refused with `upstream-protocol`. */
  openUpstream(options: { readonly alpn: Alpn }): Promise<Upstream | Refused>;
  readonly interceptors: readonly Interceptor[];
  /**
   * `when-allowed`: nothing is opened before a request has been. Default: `ahead`, where the version of HTTP wants it.
   */
  readonly dials?: 'ahead' | 'when-allowed';
  /** Where a rule redirects the destination. */
  readonly redirected?: Destination;
  /**
   * What the client calls the destination, and how it speaks to it, where that is not its own name and scheme. HTTP/1.1
   * only.
   */
  readonly knownAs?: ClientView;
  /** Called for each request once, when its answer begins or it is refused. */
  record(record: RequestRecord): void;
  /** HTTP/1.1 connections that other clients have left open. Without it a client's own die with it. */
  readonly idle?: IdleConnections;
}

/** What a request line, or the pseudo-fields of HTTP/2, say. */
export interface RequestLine {
  readonly method: string;
  readonly authority: string;
  /** Path and query, or `*`. */
  readonly target: string;
  readonly upgrade?: 'websocket' | undefined;
}

/** A refusal that HTTP has a status of its own for. */
export interface RefusedRequest extends Refused {
  readonly status?: number;
}

export interface Allowed {
  readonly kind: 'allowed';
  readonly verdict: Verdict;
}

/** The request as rules see it, whether or not it is one that may pass. */
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

/** What the client takes the destination for: its own name and scheme, or those of a route to it. */
export function clientView(context: InterceptContext): ClientView {
  return context.knownAs ?? context;
}

/**
 * Decides a request that has been parsed: its method, its authority, its path, and then the policy. `signal` says that
 * its client is gone.
 */
export async function decideRequest(
  asked: RequestLine,
  context: InterceptContext,
  signal?: AbortSignal,
): Promise<Allowed | RefusedRequest> {
  if (/^(?:trace|track|connect)$/iu.test(asked.method)) {
    return malformedHttp(
      `${asked.method.toUpperCase()} is not relayed: it would show fields that were added on the way, or open a tunnel inside the connection.`,
      405,
    );
  }
  const { destination } = clientView(context);
  if (!namesDestination(asked.authority, destination)) return mismatch(asked.authority, destination);
  const request = httpRequestOf(asked, context);
  const problem = pathProblem(request.path);
  if (problem !== undefined) return malformedHttp(`The path holds ${problem}.`);
  // Attack: a redirect of a project that leads around what rules say about requests to where it leads.
  const asWhat = context.redirected === undefined ? [request] : [request, { ...request, ...context.redirected }];
  const decided = strictest(
    readingsOf(request.path).flatMap((path) => asWhat.map((each) => context.authority.decide({ ...each, path }))),
  );
  const verdict = await settleAsk(context.authority, {
    request,
    verdict: decided,
    ...(signal === undefined ? {} : { signal }),
  });
  return passes[verdict.decision]
    ? { kind: 'allowed', verdict }
    : refused({ code: 'policy', message: verdict.message, remedy: verdict.remedy, verdict });
}

/** A request that two parsers could read differently. `message` is one line without what the client sent. */
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
 * Whether `Host` or `:authority` names the destination. The port may be left out. Credentials, escapes and bytes that
 * are not ASCII never match: another parser could read another name in them.
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

/** `Host` or `:authority` of a destination. The port that the scheme has anyway is left out. */
export function authorityOf({ host, port }: Destination, scheme: Scheme): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === defaultPorts[scheme] ? name : `${name}:${port}`;
}

const defaultPorts: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };
