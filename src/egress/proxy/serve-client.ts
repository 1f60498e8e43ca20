import type { Socket } from 'node:net';
import type { EgressRefusal } from '../types.ts';
import type { Admission } from './admission.ts';
import { clientBytes } from './client-bytes.ts';
import type { ProxyGuard } from './guard.ts';
import { serveHttpProxy } from './http/serve.ts';
import { malformed, type Parsed } from './parser.ts';
import { malformedRequest } from './refusals.ts';
import { refuseSocks4, serveSocks5 } from './socks5/serve.ts';
import type { ProxiedConnection, ProxyOptions } from './types.ts';

/** Admits a client and finds out where it wants to go. Undefined when it has had its answer, or left. Never rejects. */
export async function admit(client: Socket, guard: ProxyGuard, options: Pick<ProxyOptions, 'refused'>): Promise<ProxiedConnection | undefined> {
  const admission: Admission = {
    client,
    bytes: clientBytes(client),
    guard,
    refuse: (refusal: EgressRefusal, answer: () => void): undefined => {
      options.refused?.(refusal, client);
      answer();
    },
  };
  const language = await admission.bytes.read(languageOf);
  switch (language.kind) {
    case 'ended':
      return void client.destroy();
    case 'malformed':
      return admission.refuse(malformedRequest(language.reason), () => client.resetAndDestroy());
    case 'parsed':
      return serve(admission, language.value);
  }
}

type Language = 'socks5' | 'socks4' | 'http';

function serve(admission: Admission, language: Language): Promise<ProxiedConnection | undefined> | undefined {
  switch (language) {
    case 'socks5':
      return serveSocks5(admission);
    case 'socks4':
      return refuseSocks4(admission);
    case 'http':
      return serveHttpProxy(admission);
  }
}

/** The first byte tells them apart, and stays unread: a version, or a letter of a method. */
function languageOf(bytes: Buffer): Parsed<Language> {
  const first = bytes[0] ?? 0;
  if (first === 5) return { kind: 'parsed', value: 'socks5', length: 0 };
  if (first === 4) return { kind: 'parsed', value: 'socks4', length: 0 };
  const isLetter = (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a);
  if (isLetter) return { kind: 'parsed', value: 'http', length: 0 };
  return malformed(first === 0x16 ? 'The proxy is spoken to in the clear: its address begins with http://, not with https://.' : 'The client speaks neither HTTP nor SOCKS5.');
}
