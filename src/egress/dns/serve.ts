import type { Socket as UdpSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { answerQuery, failureReply, type Transport } from './answer.ts';
import type { AnswerContext } from './answer-context.ts';
import type { LookupRecord } from './lookup-record.ts';
import { createTcpService, type TcpLimits } from './serve-tcp.ts';
import { serveUdp } from './serve-udp.ts';

export interface DnsServiceOptions {
  /** Bound already. Stays the caller's to close. Default: questions come over TCP alone. */
  readonly udp?: UdpSocket;
  readonly context: AnswerContext;
  /** Called once for each question, before its answer leaves. */
  record?(lookup: LookupRecord): void;
  readonly tcp?: Partial<TcpLimits>;
  /** Questions over UDP that may wait for an answer at once; more are told SERVFAIL. Default 256. */
  readonly mostPending?: number;
}

export interface DnsService {
  /** Takes over a connection that was accepted on port 53. */
  accept(socket: Socket): void;
  /** Stops answering and ends every connection. */
  close(): void;
}

/** Answers look-ups until it is closed. Nothing that a client sends, and no failure of what it asks, ends it. */
export function serveDns({ udp, context, record = () => {}, tcp = {}, mostPending = 256 }: DnsServiceOptions): DnsService {
  const reply = async (packet: Uint8Array, transport: Transport): Promise<Uint8Array | undefined> => {
    try {
      const answer = await answerQuery(packet, transport, context);
      if (answer.kind === 'dropped') return undefined;
      record(answer.record);
      return answer.reply;
    } catch {
      return failureReply(packet);
    }
  };
  const tcpService = createTcpService({ reply: (packet) => reply(packet, 'tcp'), limits: tcp });
  const stopUdp = udp === undefined ? undefined : serveUdp({ socket: udp, reply: (packet) => reply(packet, 'udp'), mostPending });
  return {
    accept: tcpService.accept,
    close: () => {
      stopUdp?.();
      tcpService.close();
    },
  };
}
