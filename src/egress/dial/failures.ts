import { refuse } from '../ssrf/index.ts';
import type { Destination, Refused } from '../types.ts';

export interface Failure {
  readonly address: string;
  /** An errno name. */
  readonly code: string;
}

interface Meaning {
  readonly text: string;
  readonly remedy: string;
}

/** What an errno of `connect` means to somebody who waits for a page. Source: connect(2). */
const meanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { text: 'nothing listens there', remedy: 'see whether the service runs, and on this port' },
  ECONNRESET: { text: 'it reset the connection', remedy: 'see whether the service runs, and on this port' },
  EHOSTUNREACH: { text: 'no route leads there', remedy: 'see whether the network of the host is up and has a route there' },
  ENETUNREACH: { text: 'the host has no network of that kind', remedy: 'see whether the network of the host is up and has a route there' },
  EADDRNOTAVAIL: { text: 'the host has no address of that kind', remedy: 'see whether the network of the host is up and has a route there' },
  ETIMEDOUT: { text: 'it did not answer', remedy: 'see whether the service is up, or a firewall is in between' },
  EACCES: { text: 'a firewall of the host forbids it', remedy: 'see the firewall of the host' },
  EPERM: { text: 'a firewall of the host forbids it', remedy: 'see the firewall of the host' },
  EMFILE: { text: 'the host has no file descriptors left', remedy: 'raise the limit of open files (`ulimit -n`)' },
};

/** No address could be connected to; each is named, with its reason. */
export function unreachable({ host, port }: Destination, failures: readonly Failure[]): Refused {
  const reasons = failures.map(({ address, code }) => `${address === host ? '' : `${address}: `}${meanings[code]?.text ?? 'it failed'} (${code})`);
  const remedy = failures.map(({ code }) => meanings[code]?.remedy).find((text) => text !== undefined) ?? 'see whether the service runs, and on this port';
  const code = failures.length > 0 && failures.every((failure) => failure.code === 'ETIMEDOUT') ? 'upstream-timeout' : 'unreachable';
  return refuse(code, `${host} port ${port} cannot be reached: ${reasons.length === 0 ? 'it has no addresses' : reasons.join('; ')}`, { remedy });
}

export function tooSlow({ host, port }: Destination, milliseconds: number): Refused {
  return refuse('upstream-timeout', `${host} port ${port} did not answer within ${milliseconds} ms`, { remedy: 'see whether the service is up, or a firewall is in between' });
}

export function givenUp({ host, port }: Destination): Refused {
  return refuse('unreachable', `the connection to ${host} port ${port} was given up before it stood`, { remedy: 'nothing is wrong if the client went away' });
}
