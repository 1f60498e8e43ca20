import type { PolicyRequest } from '../../policy/index.ts';
// Not through the index: `run` would carry the whole of the policy room along.
import { printable } from '../../policy/words/printable.ts';
import type { Refusal } from './refusal.ts';

/** One line that an agent can act on, for the command's stderr. */
export function refusalLine({ verdict }: Refusal): string {
  return `holdfast: ${verdict.message} (${verdict.rule}, ${place(verdict)}); ${verdict.remedy}`;
}

export function place(verdict: { readonly file: string; readonly line: number }): string {
  return verdict.line > 0 ? `${printable(verdict.file)}:${verdict.line}` : printable(verdict.file);
}

/** A request in a few words: `read /etc/shadow`, `connect to example.com:443`. One line, without control characters. */
export function describeRequest(request: PolicyRequest): string {
  return printable(wordsOf(request));
}

function wordsOf(request: PolicyRequest): string {
  switch (request.kind) {
    case 'file':
      return `${request.operation} ${request.path}`;
    case 'exec':
      return `run ${request.argv.join(' ')}`;
    case 'connect':
      return `connect to ${request.host}:${request.port}`;
    case 'http':
      return `${request.method} ${request.scheme}://${request.host}:${request.port}${request.path}`;
    case 'dns':
      return `resolve ${request.name}`;
    case 'socket':
      return `${request.operation} socket ${request.address}`;
    case 'signal':
      return `send ${request.signal} to ${request.target}`;
    case 'env':
      return `pass ${request.name}`;
    case 'tool':
      return `call ${request.server}/${request.tool}`;
    case 'trust':
      return `trust ${request.path}`;
    case 'registry':
      return `${request.operation} ${request.key}`;
  }
}
