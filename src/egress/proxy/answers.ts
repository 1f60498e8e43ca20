import type { Socket } from 'node:net';
import { closeGently } from '../http/h1/linger.ts';
import type { EgressRefusal } from '../types.ts';
import type { ProxiedConnection } from './types.ts';

export interface Answers {
  reached(): void;
  refuse(refusal: EgressRefusal): void;
}

/** A connection whose client gets one answer of the proxy, never two: a second would be read as bytes of the destination. */
export function proxied(connection: Pick<ProxiedConnection, 'front' | 'destination' | 'client'>, answers: Answers): ProxiedConnection {
  let answer: 'none' | 'reached' | 'refused' = 'none';
  return {
    ...connection,
    reached() {
      if (answer !== 'none') return;
      answer = 'reached';
      if (connection.client.writable) answers.reached();
    },
    refuse(refusal) {
      if (answer === 'refused') return;
      const isLate = answer === 'reached';
      answer = 'refused';
      if (isLate) connection.client.resetAndDestroy();
      else answers.refuse(refusal);
    },
  };
}

/** Writes the last bytes for a client and closes, so that they arrive whatever the client is still sending. */
export function sayLast(client: Socket, bytes: Uint8Array): void {
  if (!client.writable) return void client.destroy();
  client.write(bytes);
  void closeGently(client);
}
