import type { NetworkPlan, OpenNetwork } from '../../policy/index.ts';

/** What the network of a box comes to, as pairs of a word and its value. What is empty has no line. */
export function networkLines(plan: NetworkPlan): readonly (readonly [string, string])[] {
  if (plan.kind === 'closed') return [['network', 'closed']];
  const lines: readonly (readonly [string, string])[] = [
    ['ports', portsText(plan.ports)],
    ['loopback', plan.loopbackPorts.map((port) => `localhost:${port}`).join(' ')],
    ['forward', plan.forward.map(({ host, box }) => `localhost:${host} shows port ${box} of the box`).join(', ')],
    ['dns', plan.dns === 'fake' ? 'names have made-up addresses' : 'names have their real addresses'],
    ['tls', plan.interception === 'possible' ? 'ended where requests are looked into' : 'never ended'],
    ['passthrough', plan.passthrough.join(' ')],
    ['ca', plan.authorities.join(' ')],
  ];
  return [['network', 'open to what the policy grants'], ...lines.filter(([, value]) => value !== '')];
}

function portsText(ports: OpenNetwork['ports']): string {
  if (ports === 'every') return 'every port';
  return ports.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(' ');
}
