import { escapeHidden } from '../../text/escape-hidden.ts';
import type { PolicyRequest } from '../request.ts';

/**
 * Returns a request in a few words: `read /etc/shadow`, `connect to example.com:443`. One line, without control
 * characters.
 */
export function describeRequest(request: PolicyRequest): string {
  return printable(wordsOf(request));
}

/** Returns the words for the program that made a request, or nothing. */
export function byProgram(program: string | undefined): string {
  return program === undefined ? '' : ` by ${printable(program)}`;
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

const longest = 300;

/** Returns a text for one line of a terminal or a journal. An attacker may choose file and host names. */
export function printable(text: string): string {
  const safe = escapeHidden(text);
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe;
}
