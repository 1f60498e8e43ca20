import { domainToUnicode } from 'node:url';
import type { ExecRequest, PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import { normaliseHost } from '../../policy/normalise/host.ts';
// Not imported through the index, because a supervisor needs nothing else of the text room.
import { boundaries } from '../../text/present.ts';
import { describeFindings } from '../../text/describe-findings.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { findHidden } from '../../text/filter/reject.ts';
import type { TextFinding, TextForm } from '../../text/types.ts';
import type { ApprovalSubject } from '../types.ts';
import { columns, factLines, quotedWhereNeeded, textLines, visible } from './layout.ts';

/** The presentation of a request, or the reason why nobody is asked. */
export type Presentation =
  | { readonly kind: 'shown'; readonly title: string; readonly lines: readonly string[] }
  /** Nobody is asked. `message` is one line that completes a verdict's message. */
  | { readonly kind: 'hidden'; readonly message: string };

/**
 * Lines that a person may be shown for one answer. A cut text would have them approve lines that they have not seen.
 */
export const mostLines = 1000;
/** Characters of the subject as JSON, checked before any work on it. */
const mostCharacters = mostLines * columns;

/**
 * Returns exactly what will happen, in full: a title, and lines of at most 76 columns in which only our labels begin at
 * the left. A subject with hidden characters, or with more than 1,000 lines, is not shown at all.
 */
export function presentSubject(subject: ApprovalSubject): Presentation {
  const { request, details = [] } = subject;
  if (JSON.stringify([request, details]).length > mostCharacters) return tooLong;
  const hidden = hiddenInRequest(subject);
  if (hidden !== undefined) return { kind: 'hidden', message: unaskable(hidden) };
  const lines = [...factsOf(request), ...details.flatMap(detailLines)];
  return lines.length > mostLines ? tooLong : { kind: 'shown', title: titleOf(request), lines };
}

function detailLines(detail: string): readonly string[] {
  return detail.includes('\n') ? textLines('detail', detail) : factLines('detail', visible(detail), detail);
}

const tooLong: Presentation = {
  kind: 'hidden',
  message: `nobody was asked, because it is too long to show in full (${mostLines} lines); put long texts into a file`,
};

interface Asked {
  readonly request: PolicyRequest;
  readonly verdict: Pick<Verdict, 'message'>;
  /** Further lines of what will happen, unfiltered. */
  readonly details?: readonly string[];
}

/**
 * Returns the part of a request that a person could not see: a command of tag characters, or letters that run from
 * right to left. Undefined if all of it is visible. Nobody is asked about a hidden part, because the approved text
 * would differ from the one in use.
 */
export function hiddenInRequest({ request, verdict, details = [] }: Asked): string | undefined {
  const words = request.kind === 'exec' ? request.argv : [];
  const names = wordsOf({ ...request, argv: [] });
  const found =
    firstHidden([verdict.message, ...details, ...words], boundaries['approval-prompt'].form) ??
    firstHidden(names, boundaries['approval-prompt'].form) ??
    firstHidden(names, 'name');
  if (found !== undefined) return describeFindings([found]);
  // Attack: two names with invalid bytes become the same text, so that an answer to one would count for the other.
  return [...details, ...words, ...names].some((text) => text.includes(replacement))
    ? 'U+FFFD, which may replace any bytes that are not text'
    : undefined;
}

const replacement = '\ufffd';

/** Returns the text added to the message of a denial without a question. */
export function unaskable(hidden: string): string {
  return `nobody was asked, because it has hidden characters: ${hidden}`;
}

/** A line break in a path would start a line that looks like another request. Scripts may have several lines. */
function firstHidden(texts: readonly string[], form: TextForm): TextFinding | undefined {
  for (const text of texts) {
    const found = findHidden(text, form);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((inner) => wordsOf(inner)) : [];
}

/** Returns all facts that an answer covers, line by line. */
function factsOf(request: PolicyRequest): readonly string[] {
  switch (request.kind) {
    case 'file':
      return [...plain('operation', request.operation), ...name('path', request.path)];
    case 'exec':
      return commandFacts(request);
    case 'connect':
      return [...hostFacts(request.host), ...plain('port', `${request.port} (${request.protocol})`)];
    case 'http':
      return [
        ...name('method', request.method),
        ...plain('scheme', request.scheme),
        ...hostFacts(request.host),
        ...plain('port', String(request.port)),
        ...name('path', request.path),
      ];
    case 'dns':
      return [...hostFacts(request.name), ...name('record type', request.recordType)];
    case 'socket':
      return [...plain('operation', socketVerbs[request.operation]), ...name('socket', request.address)];
    case 'signal':
      return [...name('signal', request.signal), ...plain('to', signalTargets[request.target])];
    case 'env':
      return [
        ...name('variable', request.name),
        ...(request.looks === 'secret' ? plain('value', 'looks like a secret') : []),
      ];
    case 'tool':
      return [
        ...name('server', request.server),
        ...name('tool', request.tool),
        ...textLines('arguments', request.arguments),
      ];
    case 'trust':
      return [...name('file', request.path), ...plain('SHA-256', quotedWhereNeeded(request.sha256))];
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
    ...words.flatMap((text, index) =>
      unknown.includes(index + 1)
        ? plain(`argument ${index + 1}`, 'not known before it runs: any words may stand here')
        : word(`argument ${index + 1}`, text),
    ),
  ];
}

function hostFacts(host: string): readonly string[] {
  const normal = hostText(host);
  const reading = readsAs(host);
  return [
    ...plain('host', normal),
    ...(normal === host || normal === `[${host}]` ? [] : name('as written', host)),
    ...(reading === undefined || reading === host ? [] : name('it looks like', reading)),
  ];
}

/** Returns a word of a command, which may be a script of many lines. */
function word(label: string, text: string): readonly string[] {
  return text.includes('\n') ? textLines(label, text) : name(label, text);
}

function name(label: string, text: string): readonly string[] {
  return factLines(label, quotedWhereNeeded(text), text);
}

function plain(label: string, text: string): readonly string[] {
  return factLines(label, text);
}

/** Characters of a title. The lines hold the full text. */
const longest = 160;

/** Returns what will happen, in one line. */
function titleOf(request: PolicyRequest): string {
  const characters = Array.from(leftToRight(sentence(request)));
  if (characters.length <= longest) return characters.join('');
  return `${characters.slice(0, longest).join('')}… (and ${characters.length - longest} characters more)`;
}

function sentence(request: PolicyRequest): string {
  switch (request.kind) {
    case 'file':
      return `${request.operation} ${quotedWhereNeeded(request.path)}`;
    case 'exec':
      return `run ${[request.program, ...request.argv.slice(1)].map(quotedWhereNeeded).join(' ')}`;
    case 'connect':
      return `connect to ${hostText(request.host)}:${request.port}${request.protocol === 'udp' ? ' over UDP' : ''}`;
    case 'http':
      return `${quotedWhereNeeded(request.method)} ${request.scheme}://${hostText(request.host)}:${request.port}${quotedWhereNeeded(request.path)}`;
    case 'dns':
      return `look up ${hostText(request.name)} (${quotedWhereNeeded(request.recordType)})`;
    case 'socket':
      return `${socketVerbs[request.operation]} the socket ${quotedWhereNeeded(request.address)}`;
    case 'signal':
      return `send ${quotedWhereNeeded(request.signal)} to ${signalTargets[request.target]}`;
    case 'env':
      return `pass the variable ${quotedWhereNeeded(request.name)} into the box`;
    case 'tool':
      return `call the tool ${quotedWhereNeeded(request.tool)} of ${quotedWhereNeeded(request.server)}`;
    case 'trust':
      return `let ${quotedWhereNeeded(request.path)} take effect`;
    case 'registry':
      return `${request.operation} the registry key ${quotedWhereNeeded(request.key)}`;
  }
}

/** Isolates a text, because right-to-left letters would otherwise move other words on the line. */
function leftToRight(text: string): string {
  return text.replaceAll(rightToLeft, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Blocks that the bidirectional algorithm treats as right-to-left by default. Source: UAX #9, DerivedBidiClass.txt. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

const socketVerbs = { connect: 'connect to', bind: 'bind', send: 'send to' } as const;
const signalTargets = {
  self: 'the process itself',
  child: 'a child of the process',
  box: 'another process of the box',
  supervisor: 'the supervisor of the box',
  outside: 'a process outside of the box',
} as const;

/**
 * Returns a host as the connection uses it: in ASCII, with other letters as `xn--…`, and IPv6 addresses in brackets.
 */
function hostText(host: string): string {
  const normal = normaliseHost(host);
  if (normal === undefined) return quotedWhereNeeded(host);
  return normal.address?.kind === 'v6' ? `[${normal.text}]` : normal.text;
}

/**
 * Returns the host as a browser would show it, if that differs: `аpple.com` with a Cyrillic letter passes for another
 * host.
 */
function readsAs(host: string): string | undefined {
  const normal = normaliseHost(host)?.text;
  if (normal === undefined || !normal.includes('xn--')) return undefined;
  const unicode = domainToUnicode(normal);
  return unicode === '' || unicode === normal ? undefined : escapeHidden(unicode);
}
