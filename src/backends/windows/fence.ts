import type { NetworkPlan } from '../../plan/index.ts';
import type { Identity } from './identity.ts';

/** A filter of the Windows Filtering Platform. A heavier one is asked first; all live in a dynamic session that ends with the launcher. */
export interface Filter {
  readonly layer: 'ALE_AUTH_CONNECT_V4' | 'ALE_AUTH_CONNECT_V6' | 'ALE_AUTH_RECV_ACCEPT_V4' | 'ALE_AUTH_RECV_ACCEPT_V6' | 'ALE_AUTH_LISTEN_V4' | 'ALE_AUTH_LISTEN_V6';
  readonly action: 'block' | 'permit';
  readonly weight: number;
  readonly conditions: readonly Condition[];
}

export interface Condition {
  readonly field: 'ALE_PACKAGE_ID' | 'ALE_USER_ID' | 'IP_PROTOCOL' | 'IP_REMOTE_ADDRESS' | 'IP_REMOTE_PORT';
  readonly equals: string;
}

export interface Fence {
  readonly filters: readonly Filter[];
  /** Whether the profile has to be let to the loopback, which is closed to every AppContainer. */
  readonly loopbackExemption: 'none' | 'needed';
}

const layers: readonly Filter['layer'][] = ['ALE_AUTH_CONNECT_V4', 'ALE_AUTH_CONNECT_V6', 'ALE_AUTH_RECV_ACCEPT_V4', 'ALE_AUTH_RECV_ACCEPT_V6', 'ALE_AUTH_LISTEN_V4', 'ALE_AUTH_LISTEN_V6'];

/** Everything is blocked, in both directions and both families; an open network lets TCP through to one port of the loopback, where the proxy is. */
export function fenceOf(network: NetworkPlan, identity: Identity, proxyPort: number): Fence {
  const who: Condition = { field: identity.kind === 'appcontainer' ? 'ALE_PACKAGE_ID' : 'ALE_USER_ID', equals: identity.sid };
  const blocked = layers.map((layer): Filter => ({ layer, action: 'block', weight: 1, conditions: [who] }));
  if (network.kind === 'closed') return { filters: blocked, loopbackExemption: 'none' };
  const proxy: readonly Condition[] = [who, { field: 'IP_PROTOCOL', equals: 'TCP' }, { field: 'IP_REMOTE_ADDRESS', equals: '127.0.0.1' }, { field: 'IP_REMOTE_PORT', equals: String(proxyPort) }];
  return { filters: [{ layer: 'ALE_AUTH_CONNECT_V4', action: 'permit', weight: 2, conditions: proxy }, ...blocked], loopbackExemption: identity.kind === 'appcontainer' ? 'needed' : 'none' };
}
