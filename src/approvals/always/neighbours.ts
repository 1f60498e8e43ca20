import type { PolicyRequest } from '../../policy/index.ts';

/** Requests that are nearly the same. A rule for one request must not change what is decided about any of these. */
export function neighboursOf(request: PolicyRequest): readonly PolicyRequest[] {
  switch (request.kind) {
    case 'file':
      return [...[`${request.path}x`, parentOf(request.path), `${parentOf(request.path)}/neighbour`].map((path) => ({ ...request, path })), ...others(['read', 'write', 'create', 'delete', 'execute'] as const, request.operation).map((operation) => ({ ...request, operation }))];
    case 'exec':
      return [
        ...[['x'], ['-x'], ['--force'], ['x', 'y'], ['']].map((more) => ({ ...request, argv: [...request.argv, ...more] })),
        ...(request.argv.length > 1 ? [{ ...request, argv: request.argv.slice(0, -1) }, { ...request, argv: [...request.argv.slice(0, -1), `${request.argv.at(-1)}x`] }] : []),
        { ...request, program: `${parentOf(request.program)}x/${request.program.slice(request.program.lastIndexOf('/') + 1)}` },
        { ...request, context: request.context === 'direct' ? 'nested' : 'direct' },
      ];
    case 'connect':
      return [...hosts(request.host).map((host) => ({ ...request, host })), { ...request, port: otherPort(request.port) }, { ...request, protocol: request.protocol === 'tcp' ? 'udp' : 'tcp' }];
    case 'http':
      return [
        ...hosts(request.host).map((host) => ({ ...request, host })),
        ...[`${request.path}x`, `${request.path}/x`, '/'].filter((path) => path !== request.path).map((path) => ({ ...request, path })),
        ...others(['GET', 'HEAD', 'POST', 'DELETE'], request.method).map((method) => ({ ...request, method })),
        ...others(['http', 'https', 'ws', 'wss'] as const, request.scheme).map((scheme) => ({ ...request, scheme })),
        { ...request, port: otherPort(request.port) },
      ];
    case 'dns':
      return [...hosts(request.name).map((name) => ({ ...request, name })), ...others(['A', 'TXT'], request.recordType).map((recordType) => ({ ...request, recordType }))];
    case 'socket':
      return [...[`${request.address}x`, `${request.address}/neighbour`, `${request.address}/.neighbour/x`].map((address) => ({ ...request, address })), ...others(['connect', 'bind', 'send'] as const, request.operation).map((operation) => ({ ...request, operation }))];
    case 'signal':
      return [...others(['SIGKILL', 'SIGTERM'], request.signal).map((signal) => ({ ...request, signal })), ...others(['child', 'box'] as const, request.target).map((target) => ({ ...request, target }))];
    case 'env':
      return [{ ...request, name: `${request.name}X` }, { ...request, name: `X${request.name}` }];
    case 'tool':
      return [{ ...request, tool: `${request.tool}x` }, { ...request, server: `${request.server}x` }];
    case 'trust':
      return [{ ...request, sha256: request.sha256.replace(/^./u, (digit) => (digit === '0' ? '1' : '0')) }, { ...request, path: `${request.path}x` }];
    case 'registry':
      return [...[`${request.key}x`, String.raw`${request.key}\x`].map((key) => ({ ...request, key })), ...others(['read', 'write', 'delete'] as const, request.operation).map((operation) => ({ ...request, operation }))];
  }
}

function others<Value>(all: readonly Value[], own: Value): readonly Value[] {
  return all.filter((value) => value !== own);
}

/** `localhost` in a rule is every loopback address. */
function hosts(host: string): readonly string[] {
  return [`neighbour.${host}`, `x${host}`, '192.0.2.1', '127.0.0.99'].filter((other) => other !== host);
}

function otherPort(port: number): number {
  return port === 1 ? 2 : port - 1;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
