import type { EgressRefusal } from '../types.ts';

export const unauthorised: EgressRefusal = {
  code: 'unauthorised-proxy',
  message: 'this proxy serves the programs of one session, which know its secret',
  remedy: 'use the address in HTTPS_PROXY of the session, with its name and password',
};

export const overloaded: EgressRefusal = { code: 'overloaded', message: 'too many clients are introducing themselves to the proxy', remedy: 'try again in a moment' };

export function malformedRequest(message: string): EgressRefusal {
  return { code: 'malformed-request', message, remedy: 'send what RFC 9112 (HTTP) or RFC 1928 (SOCKS5) lets a client send' };
}

export const malformedHost: EgressRefusal = {
  code: 'malformed-host',
  message: 'the destination is no host name and no address, or has no port from 1 to 65535',
  remedy: 'name it as example.com:443, 192.0.2.1:443 or [2001:db8::1]:443',
};

export const notByProxy: EgressRefusal = {
  code: 'malformed-request',
  message: 'this is a proxy: it answers CONNECT HOST:PORT, and requests for http:// URLs',
  remedy: 'use CONNECT for https:// and everything else',
};

export const mismatchedHost: EgressRefusal = { code: 'authority-mismatch', message: 'the Host field names another host than the request line', remedy: 'leave Host to the HTTP library' };
