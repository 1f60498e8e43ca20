import type { HostEffect } from '../types.ts';

/** Reads a host as programs do: `name`, `user@name`, `name:port`, `[v6]:port`. Any other text gives an unknown host. */
export function hostOf(text: string): HostEffect {
  const match =
    /^(?:[^@/?#\s]*@)?(\[[\da-f:.]+(?:%[\w.-]+)?\]|[\da-f]*(?::[\da-f]*){2,}|[\w.-]+)(?::(\d{1,5}))?$/iu.exec(text);
  const host = match?.[1]?.replaceAll(/^\[|\]$/gu, '');
  if (host === undefined || host.startsWith('-')) return { host: undefined, port: undefined, text };
  return { host, port: match?.[2] === undefined ? undefined : Number(match[2]), text };
}

export type Location =
  | { readonly kind: 'host'; readonly host: HostEffect }
  | { readonly kind: 'file'; readonly path: string };

/**
 * Returns where a URL leads. Without a scheme it counts as `http://`, as in curl. `file:` is a path. Schemes that name
 * programs (`ext::`) and patterns of several hosts have no known host.
 */
export function locationOfUrl(text: string): Location {
  const [, scheme, rest] = /^([a-z][\w+.-]*):(\/\/.*)$/isu.exec(text) ?? [];
  if (scheme?.toLowerCase() === 'file')
    return {
      kind: 'file',
      path: percentDecoded(
        (rest ?? '')
          .slice(2)
          .replace(/^localhost(?=\/)/u, '')
          .replace(/[?#].*$/su, ''),
      ),
    };
  if (scheme === undefined && /^[a-z][\w+.-]*::?(?!\d)/iu.test(text)) return unknownHost(text);
  const authority = /^[^/?#]*/u.exec(rest === undefined ? text : rest.slice(2))?.[0] ?? '';
  // A backslash ends the authority for some programs only.
  if (authority.includes('\\')) return unknownHost(text);
  const host = hostOf(authority);
  const port = host.port ?? (host.host === undefined ? undefined : defaultPorts[scheme?.toLowerCase() ?? 'http']);
  return { kind: 'host', host: { host: host.host, port, text } };
}

/**
 * Reads `host:path`, `user@host:path`, `host::module` and URLs; anything else is a path. A slash before the colon makes
 * it one.
 */
export function locationOfRemote(text: string): Location {
  if (/^[a-z][\w+.-]*:\/\//iu.test(text)) return locationOfUrl(text);
  if (/^(?:ext|fd|file)::/iu.test(text)) return unknownHost(text);
  const match = /^((?:[^@/:]*@)?(?:\[[^\]/]*\]|[^/:[\]]+)):/u.exec(text);
  if (match === null) return { kind: 'file', path: text };
  return { kind: 'host', host: { ...hostOf(match[1] ?? ''), text } };
}

const defaultPorts: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ftp: 21,
  ftps: 990,
  ssh: 22,
  sftp: 22,
  scp: 22,
  git: 9418,
  rsync: 873,
  telnet: 23,
};

function unknownHost(text: string): Location {
  return { kind: 'host', host: { host: undefined, port: undefined, text } };
}

function percentDecoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
