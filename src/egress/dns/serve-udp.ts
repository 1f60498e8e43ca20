import type { RemoteInfo, Socket } from 'node:dgram';
import { failureReply } from './answer.ts';

export interface UdpServiceOptions {
  readonly socket: Socket;
  readonly mostPending: number;
  /** Never rejects; undefined when nothing may be sent back. */
  reply(packet: Uint8Array): Promise<Uint8Array | undefined>;
}

/** Answers every datagram; returns how to stop. */
export function serveUdp({ socket, reply, mostPending }: UdpServiceOptions): () => void {
  let pending = 0;
  let isClosed = false;
  const send = (message: Uint8Array | undefined, { port, address }: RemoteInfo): void => {
    if (message === undefined || isClosed) return;
    try {
      // A client that is gone is no failure of ours: errors end here.
      socket.send(message, port, address, () => {});
    } catch {
      // The socket was closed under us, or the sender's port is one that nothing can be sent to.
    }
  };
  const onMessage = async (packet: Buffer, from: RemoteInfo): Promise<void> => {
    if (pending >= mostPending) {
      send(failureReply(packet), from);
      return;
    }
    pending += 1;
    const message = await reply(packet);
    pending -= 1;
    send(message, from);
  };
  // ICMP errors for earlier answers come here; without a listener they would end the supervisor.
  const onError = (): void => {};
  socket.on('message', onMessage);
  socket.on('error', onError);
  return () => {
    isClosed = true;
    socket.off('message', onMessage);
  };
}
