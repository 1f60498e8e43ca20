import type { PolicyRequest } from '../request.ts';
import { printable } from './printable.ts';

/** What a request is about, as the subject of a sentence: "writing /etc/passwd". One line, without control characters. */
export function subjectOf(request: PolicyRequest): string {
  switch (request.kind) {
    case 'file':
      return `${fileVerbs[request.operation]} ${printable(request.path)}`;
    case 'exec':
      return `running ${printable([request.program, ...request.argv.slice(1)].join(' '))}`;
    case 'connect':
      return `connecting to ${hostText(request.host)}:${request.port}${request.protocol === 'udp' ? ' over UDP' : ''}`;
    case 'http':
      return `${printable(request.method)} ${request.scheme}://${hostText(request.host)}:${request.port}${printable(request.path)}`;
    case 'dns':
      return `looking up ${printable(request.name)} (${printable(request.recordType)})`;
    case 'socket':
      return `${socketVerbs[request.operation]} the socket ${printable(request.address)}`;
    case 'signal':
      return `sending ${printable(request.signal)} to ${signalTargets[request.target]}`;
    case 'env':
      return `passing the variable ${printable(request.name)}`;
    case 'tool':
      return `calling the tool ${printable(`${request.server}/${request.tool}`)}`;
    case 'trust':
      return `using ${printable(request.path)}`;
    case 'registry':
      return `${registryVerbs[request.operation]} the registry key ${printable(request.key)}`;
  }
}

/** Without its brackets nobody knows where an IPv6 address ends and its port begins. */
function hostText(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${printable(host)}]` : printable(host);
}

const fileVerbs = { read: 'reading', write: 'writing', create: 'creating', delete: 'deleting', execute: 'executing' } as const;
const socketVerbs = { connect: 'connecting to', bind: 'binding', send: 'sending to' } as const;
const registryVerbs = { read: 'reading', write: 'writing', create: 'creating', delete: 'deleting' } as const;
const signalTargets = {
  self: 'itself',
  child: 'a child',
  box: 'a process of the box',
  supervisor: 'the supervisor',
  outside: 'a process outside the box',
} as const;
