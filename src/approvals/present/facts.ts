import type { ExecRequest, PolicyRequest } from '../../policy/index.ts';
import { quoted } from './exact-text.ts';
import { hostText, readsAs } from './host-text.ts';
import { factLines, textLines } from './layout.ts';
import { signalTargets, socketVerbs } from './title.ts';

/** Everything that an answer is to, line by line. */
export function factsOf(request: PolicyRequest): readonly string[] {
  switch (request.kind) {
    case 'file':
      return [...plain('operation', request.operation), ...name('path', request.path)];
    case 'exec':
      return commandFacts(request);
    case 'connect':
      return [...hostFacts(request.host), ...plain('port', `${request.port} (${request.protocol})`)];
    case 'http':
      return [...name('method', request.method), ...plain('scheme', request.scheme), ...hostFacts(request.host), ...plain('port', String(request.port)), ...name('path', request.path)];
    case 'dns':
      return [...hostFacts(request.name), ...name('record type', request.recordType)];
    case 'socket':
      return [...plain('operation', socketVerbs[request.operation]), ...name('socket', request.address)];
    case 'signal':
      return [...name('signal', request.signal), ...plain('to', signalTargets[request.target])];
    case 'env':
      return [...name('variable', request.name), ...(request.looks === 'secret' ? plain('value', 'looks like a secret') : [])];
    case 'tool':
      return [...name('server', request.server), ...name('tool', request.tool), ...textLines('arguments', request.arguments)];
    case 'trust':
      return [...name('file', request.path), ...plain('SHA-256', quoted(request.sha256))];
    case 'registry':
      return [...plain('operation', request.operation), ...name('key', request.key)];
  }
}

function commandFacts({ program, argv, context, unknown = [] }: ExecRequest): readonly string[] {
  const [own = '', ...words] = argv;
  const base = program.slice(program.lastIndexOf('/') + 1);
  return [
    ...name('program', program),
    ...(own === program || own === base ? [] : name('it is called', own)),
    ...(context === 'nested' ? plain('started by', 'another program in the box') : []),
    ...words.flatMap((text, index) => (unknown.includes(index + 1) ? plain(`argument ${index + 1}`, 'not known before it runs: any words may stand here') : word(`argument ${index + 1}`, text))),
  ];
}

function hostFacts(host: string): readonly string[] {
  const normal = hostText(host);
  const reading = readsAs(host);
  return [...plain('host', normal), ...(normal === host || normal === `[${host}]` ? [] : name('as written', host)), ...(reading === undefined || reading === host ? [] : name('it looks like', reading))];
}

/** A word of a command, which may be a script of many lines. */
function word(label: string, text: string): readonly string[] {
  return text.includes('\n') ? textLines(label, text) : name(label, text);
}

function name(label: string, text: string): readonly string[] {
  return factLines(label, quoted(text), text);
}

function plain(label: string, text: string): readonly string[] {
  return factLines(label, text);
}
