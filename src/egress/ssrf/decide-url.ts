import { type Host, normaliseHost } from '../../policy/normalise/host.ts';
import type { Destination, Refused } from '../types.ts';
import { refuse } from './refuse.ts';

export interface DecidedUrl {
  readonly kind: 'url';
  readonly scheme: 'http' | 'https';
  readonly destination: Destination;
  /** Without credentials and fragment. `hostname` is the host of `destination`. */
  readonly url: URL;
}

const longest = 8192;
const defaultPorts: Readonly<Record<DecidedUrl['scheme'], number>> = { http: 80, https: 443 };

interface Check {
  readonly isBroken: (text: string) => boolean;
  readonly message: string;
  readonly remedy: string;
}

/** Refuses ambiguous text before any parser sees it. The first failed check gives the reason. */
const textChecks: readonly Check[] = [
  {
    isBroken: (text) => text.length > longest,
    message: `the URL is longer than ${longest} characters`,
    remedy: 'shorten it',
  },
  {
    isBroken: (text) => /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]/u.test(text) || !text.isWellFormed(),
    message: 'the URL contains a blank or a control character',
    remedy: 'write blanks as %20',
  },
  {
    isBroken: (text) => text.includes('\\'),
    message: 'the URL contains a backslash, which some parsers read as a slash',
    remedy: 'write /, or %5C if a backslash is meant',
  },
  {
    isBroken: (text) => !/^https?:/i.test(text),
    message: 'only http and https URLs can be fetched',
    remedy: 'write https://…',
  },
  {
    isBroken: (text) => !/^https?:\/\/[^/?#]/i.test(text),
    message: 'the URL has no host after //',
    remedy: 'write https://host/path',
  },
];

/** Checks of the text between `//` and the path. */
const authorityChecks: readonly Check[] = [
  {
    isBroken: (text) => text.includes('@'),
    message: 'the URL contains credentials',
    remedy: 'leave out everything before the @; credentials are injected by the policy',
  },
  {
    isBroken: (text) => text.includes('%'),
    message: 'the host contains a percent escape',
    remedy: 'write the host name without escapes',
  },
  {
    isBroken: (text) => !/^(?:\[[^\]]*\]|[^:[\]]*)(?::\d{1,5})?$/.test(text),
    message: 'the host or port can be read in several ways',
    remedy: 'write host, host:port or [address]:port',
  },
];

/**
 * Parses the URL of a fetch and refuses every spelling that two parsers could read differently. Pure: asks no policy
 * and looks nothing up. Refusals are `malformed-host`.
 */
export function decideUrl(text: string): DecidedUrl | Refused {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text.slice(0, longest))?.[1] ?? '';
  const broken =
    textChecks.find(({ isBroken }) => isBroken(text)) ?? authorityChecks.find(({ isBroken }) => isBroken(authority));
  if (broken !== undefined) return malformed(broken.message, broken.remedy);
  const [, hostText = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? [];
  const host = normaliseHost(hostText);
  if (host === undefined)
    return malformed(`"${hostText}" is not a host name or address`, 'write a host name, 192.0.2.1 or [2001:db8::1]');
  if (!isCanonical(hostText, host))
    return malformed(
      `the host "${hostText}" has another spelling, "${host.text}"`,
      `write ${host.text} if you mean that host`,
    );
  return urlOf(text, host, portText);
}

/** Accepts one spelling of an address, and ASCII names in either case. Parsers disagree about all others. */
function isCanonical(written: string, { text, address }: Host): boolean {
  if (address === undefined) return /^[\x21-\x7e]+$/.test(written);
  return written.startsWith('[') ? address.kind === 'v6' : written === text;
}

function urlOf(text: string, host: Host, portText: string | undefined): DecidedUrl | Refused {
  const scheme = /^https:/i.test(text) ? 'https' : 'http';
  const port = portText === undefined ? defaultPorts[scheme] : Number(portText);
  if (port < 1 || port > 65_535) return malformed(`${port} is not a port`, 'write a port from 1 to 65535');
  const url = URL.parse(text);
  if (url === null || normaliseHost(url.hostname)?.text !== host.text)
    return malformed('the URL can be read in several ways', 'write https://host/path');
  url.hash = '';
  url.hostname = host.address?.kind === 'v6' ? `[${host.text}]` : host.text;
  return { kind: 'url', scheme, destination: { host: host.text, port }, url };
}

function malformed(message: string, remedy: string): Refused {
  return refuse('malformed-host', message, { remedy });
}
