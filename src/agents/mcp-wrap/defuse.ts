import { decide, type Policy } from '../../policy/index.ts';
import { defuseOutbound } from '../../sandbox/index.ts';
import type { Params } from './rpc.ts';

/** Members that clients show as Markdown. */
const shownAsMarkdown: ReadonlySet<string> = new Set(['description', 'instructions']);

/** What a server says about itself, so that showing it reaches no host that this server may not reach anyway. */
export function defused(policy: Policy, value: Params): Params {
  return walked(
    value,
    (text) => defuseOutbound(text, { media: 'markdown', allows: (url) => isReachable(policy, url) }).text,
  ) as Params;
}

function walked(value: unknown, defuse: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => walked(item, defuse));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: readonly [string, unknown]) => [
      key,
      typeof item === 'string' && shownAsMarkdown.has(key) ? defuse(item) : walked(item, defuse),
    ]),
  );
}

function isReachable(policy: Policy, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const { decision } = decide(policy, {
    kind: 'connect',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: 'tcp',
  });
  return decision === 'allow' || decision === 'audit';
}
