import type { NetworkPlan } from '../types.ts';
import type { Architecture } from './architecture.ts';
import { builtPlain } from './built-filters.ts';

/** The list that stands beside the reviewed one where a box has no namespaces, built beforehand. An array of `struct sock_filter`. */
export function plainFilter(architecture: Architecture, network: NetworkPlan['kind']): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(builtPlain[`${architecture}-${network}`], 'base64'));
}
