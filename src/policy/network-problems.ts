import { type Problem, problemAt } from './document/problem.ts';
import type { Layer, PlacedForward, PlacedHttpRule, PlacedPattern } from './layers/layer.ts';
import { hostCovers } from './patterns/covers.ts';
import { hostsOverlap } from './patterns/hosts-overlap.ts';
import { portCount } from './patterns/port-set.ts';
import type { Policy } from './policy.ts';
import { mostLoopbackPorts } from './settings/network-plan.ts';
import { originText } from './words/message.ts';

/** What layers say about the network that cannot be carried out together, or by anything. */
export function networkProblems({ layers }: Policy): readonly Problem[] {
  return [...layers.flatMap(loopbackProblems), ...passthroughProblems(layers), ...layers.flatMap(forwardProblems)];
}

/** The box has a loopback of its own, so every port of the host's needs a door: only those that are named can have one. */
function loopbackProblems({ kind, network }: Layer): readonly Problem[] {
  if (kind !== 'user') return [];
  return network.facts().loopback.flatMap(({ pattern, origin }): readonly Problem[] => {
    if (pattern.ports !== undefined && portCount([pattern.ports]) <= mostLoopbackPorts) return [];
    const size = pattern.ports === undefined ? 'every port' : `${portCount([pattern.ports])} ports`;
    return [problemAt(origin, `"${pattern.source}" opens ${size} of the host's loopback, of which at most ${mostLoopbackPorts} can be`, 'name the ports that are needed: "localhost:3000", or "localhost:8000-8100"')];
  });
}

/** A rule about requests that nobody can see is not enforced; which of both is meant only the author knows. */
function passthroughProblems(layers: readonly Layer[]): readonly Problem[] {
  const rules = layers.map(({ network }) => network.facts().httpRules);
  return layers.flatMap(({ network }) => network.facts().passthrough).flatMap((passed) => rules.flatMap((list) => unenforced(passed, list)));
}

/** Where the first rule about a host allows every request to it, nothing is lost. */
function unenforced({ pattern, origin }: PlacedPattern, rules: readonly PlacedHttpRule[]): readonly Problem[] {
  const excused = rules.findIndex((rule) => rule.effect === 'unconditional' && hostCovers(rule.pattern, pattern));
  const lost = rules.find((rule, index) => (excused === -1 || index < excused) && rule.effect === 'conditional' && hostsOverlap(rule.pattern, pattern));
  if (lost === undefined) return [];
  return [
    problemAt(
      origin,
      `"${pattern.source}" passes TLS unseen, so ${originText(lost.origin)} could never be enforced there`,
      'take it out of network.passthrough, or let an earlier [[http]] rule allow every request to that host',
    ),
  ];
}

function forwardProblems({ network }: Layer): readonly Problem[] {
  const seen = new Map<number, PlacedForward>();
  return (network.facts().forwards ?? []).flatMap((forward): readonly Problem[] => {
    const other = seen.get(forward.host);
    seen.set(forward.host, other ?? forward);
    if (other === undefined || other.box === forward.box) return [];
    return [problemAt(forward.origin, `port ${forward.host} of the host would show both port ${other.box} and port ${forward.box} of the box`, 'show one of them on another port: "3001:3000"')];
  });
}
