import { isIP } from 'node:net';

/** Where to ask. */
export interface NameServer {
  /** An IPv4 or IPv6 address, the latter perhaps with a zone: `fe80::1%eth0`. */
  readonly address: string;
  readonly port: number;
}

/** What resolv.conf(5) says; its search list is left out on purpose. */
export interface ResolverConfiguration {
  readonly servers: readonly NameServer[];
  /** Milliseconds for one try. */
  readonly timeout: number;
  /** How often the list of servers is gone through. */
  readonly attempts: number;
}

/** glibc's own limits: MAXNS, RES_MAXRETRANS and RES_MAXRETRY of <resolv.h>. */
const mostServers = 3;
const longestTimeout = 30;
const mostAttempts = 5;
const port = 53;

/** Without a server glibc asks the one on the same machine. */
const localServer: NameServer = { address: '127.0.0.1', port };

export function parseResolvConf(text: string): ResolverConfiguration {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
  const servers = lines.flatMap(([keyword, address = '']) =>
    keyword === 'nameserver' && isIP(address) !== 0 ? [{ address, port }] : [],
  );
  const options = lines.flatMap(([keyword, ...words]) => (keyword === 'options' ? words : []));
  return {
    servers: servers.length === 0 ? [localServer] : servers.slice(0, mostServers),
    timeout: (numberIn(options, 'timeout', longestTimeout) ?? 5) * 1000,
    attempts: numberIn(options, 'attempts', mostAttempts) ?? 2,
  };
}

/** The last one counts. */
function numberIn(options: readonly string[], name: string, most: number): number | undefined {
  const values = options.flatMap((option) => new RegExp(`^${name}:(\\d{1,6})$`).exec(option)?.[1] ?? []);
  const last = values.at(-1);
  return last === undefined ? undefined : Math.min(Math.max(Number(last), 1), most);
}
