import type { Duplex } from 'node:stream';
import { limits } from '../limits.ts';
import type { Body } from '../message.ts';

/**
 * Closes after a last answer. What is still arriving is read and dropped for a moment: a connection closed with unread
 * bytes is reset, and a reset takes the answer away from a client that has not read it yet. Source: RFC 9112 §9.6.
 */
export function closeGently(client: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (client.closed) return void resolve();
    let left: number = limits.lingerOctets;
    const timer = setTimeout(() => client.destroy(), limits.linger);
    client.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (left < 0) client.destroy();
    });
    client.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    client.end();
    client.resume();
  });
}

/** Reads what a refused request still sends, so that the next one can be read. False when it is too much. */
export async function discard(body: Body): Promise<boolean> {
  let left: number = limits.lingerOctets;
  try {
    for await (const bytes of body) {
      left -= bytes.length;
      if (left < 0) return false;
    }
    return true;
  } catch {
    return false;
  }
}
