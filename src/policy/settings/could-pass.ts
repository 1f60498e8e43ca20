import type { Answer } from '../origin.ts';
import type { Layer } from '../layers/layer.ts';
import type { Host } from '../normalise/host.ts';
import type { Policy } from '../policy.ts';

/** Whether every layer could allow a connection to a host, or at least some request on it. */
export function couldPass({ layers }: Policy, host: Host, port: number): boolean {
  return layers.every((layer) => layerCouldPass(layer, host, port));
}

function layerCouldPass(layer: Layer, host: Host, port: number): boolean {
  const answer = connectionAnswer(layer, host, port);
  if (answer === undefined || answer.decision !== 'deny') return true;
  return answer.code !== 'deny-set' && layer.network.grantsRequests(host, port);
}

/** Returns one layer's answer to a TCP connection to a host. Undefined if it abstains. */
export function connectionAnswer({ answers }: Layer, host: Host, port: number): Answer | undefined {
  return answers.connect({ host, port, request: { kind: 'connect', host: host.text, port, protocol: 'tcp' } });
}
