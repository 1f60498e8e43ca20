import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { keepGarbageSmall } from '../../src/cli/small-garbage.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { newProxySecret } from '../../src/egress/proxy/refusals.ts';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import type { Authority } from '../../src/egress/types.ts';
import { sessionGateway } from '../../src/llm/session/session-gateway.ts';
import type { Place } from '../../src/place/place.ts';
import { decide, decideAddress } from '../../src/policy/decide.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { passesUnasked, tlsTreatment } from '../../src/policy/settings/tls-treatment.ts';
import { policyFrom } from '../../src/policy/testing/policies.ts';
import type { Ask, CarrierStart, Say } from './message.ts';

/** A session's way out alone, as a proxy, so that its memory holds nothing else. */
// As in `holdfast run` and `holdfast proxy`.
keepGarbageSmall();
const [start] = (await once(process, 'message')) as [CarrierStart];
const { gateway, serverPort, serverAuthority, directory, secrets } = start;
const policy = policyFrom({
  user: `[network]\nhosts = ["localhost:${serverPort}"]\n[llm]\n[[llm.servers]]\nname = "own"\nhosts = ["localhost:${serverPort}"]\nstyle = "anthropic"\n`,
});
const authority = authorityOf(policy);
const certificates = createAuthority();
const place = {
  paths: { journal: join(directory, `${gateway}.jsonl`) },
  workspace: { root: directory },
} as unknown as Place;
// Both end TLS by the same policy.
const interceptors =
  gateway === 'without'
    ? []
    : [sessionGateway({ id: 'bench', place, policy: () => policy, authority, secrets: () => secrets }).interceptor];
const egress = createEgress({
  authority,
  roots: () => [serverAuthority],
  environment: {},
  trusted: 'trusted',
  certificates,
  interceptors,
});
const nothing = (): void => undefined;
const secret = newProxySecret();
const proxy = egress.proxy(
  { record: nothing, recordRequest: nothing, recordStatement: nothing, recordLookup: nothing, refused: nothing },
  secret,
);
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
process.on('message', ({ kind }: Ask) => {
  if (kind === 'memory') say({ kind: 'memory', rss: process.memoryUsage().rss });
});
process.on('disconnect', () => process.exit(0));
say({ kind: 'ready', port: (proxy.address() as AddressInfo).port, authority: certificates.certificatePem, secret });

function authorityOf(of: Policy): Authority {
  return {
    decide: (request) => decide(of, request),
    decideAddress: (address, port) => decideAddress(of, { address, port }),
    tlsTreatment: (destination) => tlsTreatment(of, destination),
    passesUnasked: (destination) => passesUnasked(of, destination),
  };
}

function say(message: Say): void {
  process.send?.(message);
}
