import { readFileSync } from 'node:fs';
import type { Socket as DatagramSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { createAuthority, createEgress, hostRoots, type Egress } from '../../egress/index.ts';
import type { OpenNetwork } from '../../plan/index.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { livePolicy } from './live-policy.ts';
import { createNetworkJournal } from './network-journal.ts';
import { noTrust, type SessionTrust } from './session-trust.ts';
import { sessionTrust } from './trust-files.ts';
import type { SessionNetworkOptions } from './session-network.ts';

/** What serves the network of a session. In a bundle of its own: only a session that uses its network loads it. */
export interface SessionEgress {
  readonly egress: Egress;
  readonly trust: SessionTrust;
  attach(network: OpenNetwork): BoxEgress;
}

/** One box's share of it. */
export interface BoxEgress {
  accept(client: Socket): void;
  dns(socket: DatagramSocket): void;
  /** Ends its connections, writes down what happened, and gives what was refused. */
  close(): Promise<readonly Refusal[]>;
}

export function createSessionEgress(options: SessionNetworkOptions): SessionEgress {
  const { place, environment } = options;
  const policy = livePolicy(place);
  const roots = (): readonly string[] => [...hostRoots(environment), ...policy.authorities().map((file) => readFileSync(file, 'utf8'))];
  const certificates = options.authority === 'session' ? createAuthority() : undefined;
  const egress = createEgress({ authority: policy.authority, roots, environment, ...(certificates === undefined ? { trusted: 'untrusted' } : { trusted: 'trusted', certificates }) });
  return {
    egress,
    trust: certificates === undefined ? noTrust : sessionTrust(certificates.certificatePem, environment),
    attach(network) {
      const journal = createNetworkJournal(options);
      const box = egress.attach({ resolver: network.resolver, dns: network.dns, ...journal.recorders });
      return {
        accept: box.accept,
        dns: box.dns,
        async close() {
          await box.close();
          return journal.close();
        },
      };
    },
  };
}
