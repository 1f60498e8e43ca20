import type { Duplex } from 'node:stream';
import type { BrokerWays } from '../../../egress/index.ts';
import { loginReader } from '../protocol/login-reader.ts';
import { tlsRequest } from '../protocol/write.ts';
import { LoginFailure } from './failure.ts';

export type UpstreamTls = 'verify-full' | 'disable';

/**
 * A new connection to the server, which has proved its name where `tls` is `verify-full`. Never falls back to plain
 * text.
 */
export async function openUpstream(ways: BrokerWays, tls: UpstreamTls): Promise<Duplex> {
  const { host, port } = ways.destination;
  const dialled = await ways.dial();
  if (dialled.kind === 'refused')
    throw new LoginFailure({ code: '08001', message: dialled.refusal.message, remedy: dialled.refusal.remedy });
  const { socket } = dialled;
  if (tls === 'disable') return socket;
  const reader = loginReader(socket);
  socket.write(tlsRequest);
  const answer = await reader.octet();
  if (answer !== 0x53) {
    socket.destroy();
    throw new LoginFailure(
      {
        code: '08001',
        message: `the server ${host}:${port} speaks no TLS`,
        remedy:
          'switch on ssl there; only in a network where nobody else can listen, set tls = "disable" of the credential',
      },
      'upstream-certificate',
    );
  }
  // More than the answer is plain text that would be taken for protected (CVE-2021-23222).
  if (!reader.isEmpty()) {
    socket.destroy();
    throw new LoginFailure(
      {
        code: '08P01',
        message: `the server ${host}:${port} sent plain text before TLS`,
        remedy: 'see who is between here and the server',
      },
      'upstream-protocol',
    );
  }
  reader.detach();
  const secured = await ways.secure(socket);
  if (secured.kind === 'refused')
    throw new LoginFailure({ code: '08001', message: secured.refusal.message, remedy: secured.refusal.remedy });
  return secured.socket;
}
