import type {
  ConnectRequest,
  DnsRequest,
  EnvRequest,
  ExecRequest,
  FileAccess,
  FileRequest,
  HttpRequest,
  RegistryRequest,
  SignalRequest,
  SocketRequest,
  ToolRequest,
  TrustRequest,
} from '../request.ts';
import { places } from './policies.ts';

export const hashOf = (digit: string): string => digit.repeat(64);

/** Resolves `~` and relative paths as a policy does. */
export function file(operation: FileAccess, path: string): FileRequest {
  return { kind: 'file', operation, path: absolute(path) };
}

export function exec(...argv: readonly string[]): ExecRequest {
  return { kind: 'exec', program: argv[0] ?? '', argv, context: 'direct' };
}

export function connect(host: string, port = 443, protocol: 'tcp' | 'udp' = 'tcp'): ConnectRequest {
  return { kind: 'connect', host, port, protocol };
}

export function http(method: string, url: string): HttpRequest {
  const [, scheme = '', host = '', port, path = '/'] = /^(\w+):\/\/([^/:]+)(?::(\d+))?(\/.*)?$/.exec(url) ?? [];
  return {
    kind: 'http',
    method,
    scheme: scheme as HttpRequest['scheme'],
    host,
    port: port === undefined ? 443 : Number(port),
    path,
  };
}

export function dns(name: string, recordType = 'A'): DnsRequest {
  return { kind: 'dns', name, recordType };
}

export function socket(address: string, operation: SocketRequest['operation'] = 'connect'): SocketRequest {
  return { kind: 'socket', operation, address };
}

export function signal(name: string, target: SignalRequest['target']): SignalRequest {
  return { kind: 'signal', signal: name, target };
}

export function env(name: string): EnvRequest {
  return { kind: 'env', name };
}

export function tool(name: string): ToolRequest {
  const [server = '', ...rest] = name.split('/');
  return { kind: 'tool', server, tool: rest.join('/'), arguments: '{}' };
}

export function trust(path: string, sha256 = hashOf('a')): TrustRequest {
  return { kind: 'trust', path: absolute(path), sha256 };
}

export function registry(key: string, operation: RegistryRequest['operation'] = 'read'): RegistryRequest {
  return { kind: 'registry', operation, key };
}

function absolute(path: string): string {
  if (path.startsWith('/') || path === '') return path;
  return path === '~' || path.startsWith('~/') ? `${places.home}${path.slice(1)}` : `${places.workspace}/${path}`;
}
