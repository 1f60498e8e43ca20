import { normaliseHost } from '../../policy/normalise/host.ts';
import type { Verdict } from '../../policy/verdict.ts';
import { settleAsk } from '../approval.ts';
import { isAddress } from '../is-address.ts';
import { loopbackHosts } from '../loopback-names.ts';
import type { OwnAddresses } from '../ssrf/network.ts';
import { refuse } from '../ssrf/refuse.ts';
import { classifyName, vet, type VetContext } from '../ssrf/vet.ts';
import type { Authority, Destination, EgressRefusal, Refused, Resolver, Vetted } from '../types.ts';

export interface ReachContext {
  readonly authority: Authority;
  readonly resolver: Resolver;
  readonly own: OwnAddresses;
  /** Returns true if a destination is reached through a company's proxy. */
  isProxied?(destination: Destination): boolean;
}

export type Reached = ReachedHost | ReachRefused;

export interface ReachedHost {
  readonly kind: 'reached';
  /** The requested destination, or the target of a rule's redirect. */
  readonly vetted: Vetted;
  readonly verdict: Verdict;
}

export interface ReachRefused {
  readonly kind: 'refused';
  readonly refusal: EgressRefusal;
  readonly verdict?: Verdict;
}

/** `request`: rules about requests decide later, so only a deny set refuses the connection itself. */
export type ReachFor = 'connection' | 'request';

/**
 * decide → resolve → vet. A name is decided before it is looked up, so a refused name never causes a query. Only vetted
 * addresses may be dialled.
 */
export async function reach(destination: Destination, use: ReachFor, context: ReachContext): Promise<Reached> {
  const verdict = await decideConnection(destination, use, context);
  const target = verdict.decision === 'redirect' ? redirected(verdict, destination) : destination;
  if (target === undefined)
    return {
      kind: 'refused',
      refusal: { ...policyRefusal(verdict), message: `"${verdict.redirectTo ?? ''}" is not a destination` },
      verdict,
    };
  // A redirect grants nothing. Another layer may refuse its target, so the policy decides the target like any other
  // destination.
  const onward = target === destination ? verdict : await decideConnection(target, 'connection', context);
  if (!passes(onward, target === destination ? use : 'connection'))
    return { kind: 'refused', refusal: policyRefusal(onward), verdict: onward };
  const vetted = await vetTarget(target, context);
  return vetted.kind === 'refused' ? { ...vetted, verdict } : { kind: 'reached', vetted, verdict };
}

/** Rules about requests decide later. A rule about the connection decides here, before the name is looked up. */
async function decideConnection(
  destination: Destination,
  use: ReachFor,
  { authority }: ReachContext,
): Promise<Verdict> {
  const request = { kind: 'connect', ...destination, protocol: 'tcp' } as const;
  const verdict = authority.decide(request);
  return use === 'connection' ? settleAsk(authority, { request, verdict }) : verdict;
}

/**
 * Returns the destination that connections lead to: the requested one, or the target of a redirect. Does not decide
 * whether they are allowed.
 */
export function leadsTo(destination: Destination, { authority }: Pick<ReachContext, 'authority'>): Destination {
  const verdict = authority.decide({ kind: 'connect', ...destination, protocol: 'tcp' });
  return verdict.decision === 'redirect' ? (redirected(verdict, destination) ?? destination) : destination;
}

export function policyRefusal(verdict: Verdict): EgressRefusal {
  return { code: 'policy', message: verdict.message, remedy: verdict.remedy, verdict };
}

function passes({ decision, code }: Verdict, use: ReachFor): boolean {
  switch (decision) {
    case 'allow':
    case 'audit':
    case 'redirect':
      return true;
    case 'stage':
      return false;
    case 'ask':
      return use === 'request';
    case 'deny':
      return use === 'request' && code !== 'deny-set';
  }
}

/** `HOST:PORT`, or `HOST` for the same port. */
function redirected({ redirectTo = '' }: Verdict, { port }: Destination): Destination | undefined {
  const parts = /^(.*?)(?::(\d{1,5}))?$/u.exec(
    redirectTo.startsWith('[') || redirectTo.split(':').length <= 2 ? redirectTo : `[${redirectTo}]`,
  );
  const host = normaliseHost(parts?.[1] ?? '');
  const wanted = parts?.[2] === undefined ? port : Number(parts[2]);
  return host === undefined || wanted < 1 || wanted > 65_535 ? undefined : { host: host.text, port: wanted };
}

async function vetTarget(destination: Destination, context: ReachContext): Promise<Vetted | Refused> {
  if (loopbackHosts.includes(destination.host)) return vetLoopback(destination, context);
  if (isAddress(destination.host)) return vet(destination, undefined, context);
  const resolution = await context.resolver.resolve(destination.host);
  if (resolution.kind === 'resolved') return vet(destination, resolution, context);
  // In networks where only the proxy can resolve outside names, the proxy gets the name.
  return context.isProxied?.(destination) === true ? vetUnresolved(destination, context) : resolution;
}

/** Returns the loopback addresses that the policy opens. */
function vetLoopback(destination: Destination, context: ReachContext): Vetted | Refused {
  const results = ['127.0.0.1', '::1'].map((host) => vet({ ...destination, host }, undefined, context));
  const addresses = results.flatMap((result) => (result.kind === 'vetted' ? result.addresses : []));
  if (addresses.length > 0) return { kind: 'vetted', destination, addresses };
  return (
    results.find((result) => result.kind === 'refused') ?? {
      kind: 'refused',
      refusal: { code: 'unreachable', message: 'loopback has no addresses', remedy: 'name an address' },
    }
  );
}

/**
 * Decides whether a company's proxy may be asked by name for a destination that the host cannot resolve. Address
 * literals are vetted as always. No special name passes, because its target would be unknown. The result has no
 * addresses.
 */
export function vetUnresolved(destination: Destination, context: VetContext): Vetted | Refused {
  const host = normaliseHost(destination.host);
  if (host === undefined || host.text !== destination.host || host.address !== undefined)
    return vet(destination, undefined, context);
  const found = classifyName(host.text);
  if (found.kind === 'ordinary') return { kind: 'vetted', destination, addresses: [] };
  return refuse(
    'special-name',
    `${host.text} stands for ${found.reason} (${found.source}), and the host cannot resolve it`,
    { remedy: 'make the host resolve it, and name its address under [network] of your policy' },
  );
}
