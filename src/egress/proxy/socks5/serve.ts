import type { Admission } from '../admission.ts';
import { proxied, sayLast } from '../answers.ts';
import { malformedHost, malformedRequest, unauthorised } from '../refusals.ts';
import type { ProxiedConnection } from '../types.ts';
import { commands, methods, parseCredentials, parseGreeting, parseRequest, type SocksRequest } from './messages.ts';
import { admitted, noMethod, notAdmitted, passwordWanted, reply, type ReplyCode, replyCodeOf, replyCodes, socks4Rejected } from './replies.ts';

/** Greets a client, admits it and reads where it wants to go. Undefined when it has had its answer, or left. */
export async function serveSocks5(admission: Admission): Promise<ProxiedConnection | undefined> {
  const { client, bytes, guard } = admission;
  const greeting = await bytes.read(parseGreeting);
  if (greeting.kind !== 'parsed') return leave(admission, greeting);
  if (!greeting.value.includes(methods.password)) return admission.refuse(unauthorised, () => sayLast(client, noMethod));
  client.write(passwordWanted);
  const credentials = await bytes.read(parseCredentials);
  if (credentials.kind !== 'parsed') return leave(admission, credentials);
  if (!guard.admits(credentials.value.user, credentials.value.password)) return admission.refuse(unauthorised, () => sayLast(client, notAdmitted));
  client.write(admitted);
  const request = await bytes.read(parseRequest);
  return request.kind === 'parsed' ? serveRequest(admission, request.value) : leave(admission, request);
}

/** SOCKS4 has neither names nor passwords, so that nobody could be admitted by it. */
export function refuseSocks4({ client, refuse }: Admission): undefined {
  return refuse({ code: 'unauthorised-proxy', message: 'SOCKS4 knows no password', remedy: 'use SOCKS5 (socks5h://) or HTTP' }, () => sayLast(client, socks4Rejected));
}

function serveRequest({ client, bytes, refuse }: Admission, { command, host, port }: SocksRequest): ProxiedConnection | undefined {
  const answer = (code: ReplyCode) => (): void => sayLast(client, reply(code));
  if (command !== commands.connect) return refuse(malformedRequest('Of SOCKS5 only CONNECT is served, neither BIND nor UDP ASSOCIATE.'), answer(replyCodes.commandNotSupported));
  if (host.kind === 'unsupported') return refuse(malformedHost, answer(replyCodes.addressTypeNotSupported));
  if (host.kind === 'invalid' || port === 0) return refuse(malformedHost, answer(replyCodeOf('malformed-host')));
  bytes.release();
  return proxied({ front: 'socks5', destination: { host: host.text, port }, client }, {
    reached: () => client.write(reply(replyCodes.succeeded)),
    refuse: ({ code }) => sayLast(client, reply(replyCodeOf(code))),
  });
}

/** There is no answer to what is no message of the protocol. */
function leave({ client, refuse }: Admission, read: { readonly kind: 'malformed'; readonly reason: string } | { readonly kind: 'ended' }): undefined {
  if (read.kind === 'malformed') return refuse(malformedRequest(read.reason), () => client.resetAndDestroy());
  client.destroy();
}
