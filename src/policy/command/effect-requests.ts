import type { AnalysedInvocation, HostEffect, PathEffect } from '../../shell/types.ts';
import type { PolicyRequest } from '../request.ts';

export interface EffectRequest {
  readonly request: PolicyRequest;
  /** Something below a directory: whoever writes into `.git` does not write `.git` itself. */
  readonly within?: PolicyRequest;
}

/** What a command would ask of the box, as far as it is known: paths and hosts that are not known are no requests. */
export function effectRequests({
  tool,
  effects: { reads, writes, hosts },
}: AnalysedInvocation): readonly EffectRequest[] {
  const requests = [
    ...[...reads, ...writes].flatMap(fileRequest),
    ...hosts.flatMap((host) => connectRequest(host, usualPort(host, tool))),
  ];
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
}

function fileRequest({ use, scope, path }: PathEffect): readonly EffectRequest[] {
  if (path === undefined) return [];
  const request = { kind: 'file', operation: use, path } as const;
  return scope === 'tree' && use === 'write' ? [{ request, within: { ...request, path: `${path}/x` } }] : [{ request }];
}

function connectRequest({ host, port }: HostEffect, usual: number): readonly EffectRequest[] {
  return host === undefined ? [] : [{ request: { kind: 'connect', host, port: port ?? usual, protocol: 'tcp' } }];
}

const httpsPort = 443;
const rsyncPort = 873;

/** Of a host that stands without a port; a URL's effect has one. `host::module` is for the rsync daemon. */
function usualPort({ text }: HostEffect, tool = ''): number {
  const [name = ''] = tool.split(' ');
  if (name === 'rsync' && text.includes('::')) return rsyncPort;
  return usualPorts.get(name) ?? httpsPort;
}

/** Sources: the manuals of the tools, and the IANA registry of service names. */
const usualPorts: ReadonlyMap<string, number> = new Map(
  Object.entries({
    21: 'ftp',
    22: 'ssh scp sftp ssh-keyscan ssh-copy-id rsync git tar',
    23: 'telnet',
    43: 'whois',
    53: 'dig nslookup host',
    3306: 'mysql mysqldump mariadb mariadb-dump',
    5432: 'psql pg_dump pg_restore',
    6379: 'redis-cli',
    27017: 'mongosh mongo',
  }).flatMap(([port, tools]) => tools.split(' ').map((tool) => [tool, Number(port)] as const)),
);
