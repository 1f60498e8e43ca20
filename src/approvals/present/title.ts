import type { PolicyRequest } from '../../policy/index.ts';
import { quoted } from './exact-text.ts';
import { hostText } from './host-text.ts';

/** Characters of a title; all of it is in the lines. */
const longest = 160;

/** What will happen, in one line. */
export function titleOf(request: PolicyRequest): string {
  const characters = Array.from(leftToRight(sentence(request)));
  if (characters.length <= longest) return characters.join('');
  return `${characters.slice(0, longest).join('')}… (and ${characters.length - longest} characters more)`;
}

function sentence(request: PolicyRequest): string {
  switch (request.kind) {
    case 'file':
      return `${request.operation} ${quoted(request.path)}`;
    case 'exec':
      return `run ${[request.program, ...request.argv.slice(1)].map(quoted).join(' ')}`;
    case 'connect':
      return `connect to ${hostText(request.host)}:${request.port}${request.protocol === 'udp' ? ' over UDP' : ''}`;
    case 'http':
      return `${quoted(request.method)} ${request.scheme}://${hostText(request.host)}:${request.port}${quoted(request.path)}`;
    case 'dns':
      return `look up ${hostText(request.name)} (${quoted(request.recordType)})`;
    case 'socket':
      return `${socketVerbs[request.operation]} the socket ${quoted(request.address)}`;
    case 'signal':
      return `send ${quoted(request.signal)} to ${signalTargets[request.target]}`;
    case 'env':
      return `pass the variable ${quoted(request.name)} into the box`;
    case 'tool':
      return `call the tool ${quoted(request.tool)} of ${quoted(request.server)}`;
    case 'trust':
      return `let ${quoted(request.path)} take effect`;
    case 'registry':
      return `${request.operation} the registry key ${quoted(request.key)}`;
  }
}

/** On a line with other words, letters that run the other way would take some of these along. */
function leftToRight(text: string): string {
  return text.replaceAll(rightToLeft, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The blocks that the bidirectional algorithm takes for right-to-left by default. Source: UAX #9, DerivedBidiClass.txt. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

export const socketVerbs = { connect: 'connect to', bind: 'bind', send: 'send to' } as const;
export const signalTargets = {
  self: 'the process itself',
  child: 'a child of the process',
  box: 'another process of the box',
  supervisor: 'the supervisor of the box',
  outside: 'a process outside of the box',
} as const;
