import type { NetworkPlan } from '../plan/types.ts';

/** Private, shared, loopback and link-local networks, where clusters and clouds have their own services. */
export const ownNetworks = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ],
  ipv6: ['::1/128', 'fc00::/7', 'fe80::/10'],
} as const;

/** No way in. No way out, or only the supervisor's: names of the cluster's resolver, and TCP to public addresses. */
export function networkRules(network: NetworkPlan): {
  readonly ingress: readonly [];
  readonly egress: readonly object[];
} {
  switch (network.kind) {
    case 'closed':
      return { ingress: [], egress: [] };
    case 'names':
      return {
        ingress: [],
        egress: [
          {
            to: [
              {
                namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
                podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
              },
            ],
            ports: [
              { protocol: 'UDP', port: 53 },
              { protocol: 'TCP', port: 53 },
            ],
          },
          {
            to: [
              { ipBlock: { cidr: '0.0.0.0/0', except: ownNetworks.ipv4 } },
              { ipBlock: { cidr: '::/0', except: ownNetworks.ipv6 } },
            ],
            ports: [{ protocol: 'TCP', port: 1, endPort: 65_535 }],
          },
        ],
      };
  }
}
