import type { Answer } from '../answer.ts';
import type { HostClause } from '../kinds/host.ts';
import { hostFinder } from '../kinds/host.ts';
import { namesAddresses } from '../patterns/address-pattern.ts';
import type { ConnectRequest } from '../request.ts';
import { connectRules, deniedHosts, namedHosts, unmatchedHost } from './compile-network.ts';
import type { LayerNetwork } from './layer.ts';
import type { LayerSource } from './source.ts';

/**
 * What a layer says to an address for its own sake. Only a pattern that spells addresses out opens one: a name that
 * answers with 169.254.169.254 is what an attacker would publish, and `any` was never meant for the machines next door.
 * What refuses does so as everywhere.
 */
export function compileAddress(source: LayerSource): LayerNetwork['address'] {
  const granted = namedHosts(source).filter(({ matcher }) => namesAddresses(matcher.pattern));
  const index = hostFinder<ConnectRequest, Answer>([...deniedHosts(source), ...connectRules(source).flatMap(aboutAddress), ...granted]);
  const otherwise = unmatchedHost(source);
  return ({ host, port, request }) => index.first(host, port, request)?.value ?? otherwise;
}

function aboutAddress(clause: HostClause<ConnectRequest, Answer>): readonly HostClause<ConnectRequest, Answer>[] {
  switch (clause.value.decision) {
    case 'allow':
    case 'audit':
      return namesAddresses(clause.matcher.pattern) ? [clause] : [];
    // Who asks for the address itself is sent elsewhere; a name must not lead around that.
    case 'redirect':
      return [{ ...clause, value: { ...clause.value, decision: 'deny', redirectTo: undefined, memo: {} }, effect: 'restricts' }];
    case 'stage':
    case 'ask':
    case 'deny':
      return [clause];
  }
}
