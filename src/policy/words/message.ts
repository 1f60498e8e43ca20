import { type Answer, builtinFile, type MatchedCommand } from '../origin.ts';
import {
  canonicalise,
  type CanonicalOption,
  hasOptions,
  isOption,
  patternReader,
  type PatternWords,
} from '../patterns/command-words.ts';
import { startsAsWritten } from '../patterns/matches-words.ts';
import { matchesWildcard } from '../patterns/wildcard.ts';
import type { ExecRequest, PolicyRequest } from '../request.ts';
import { printable } from './describe-request.ts';

/** Returns one line for a person or an agent: the decision and its reason. */
export function verdictMessage(answer: Answer, request: PolicyRequest): string {
  return `${subjectOf(request)} ${messageEnd(answer)}${matchText(answer, request)}`;
}

/** Names the arguments of a long command that a pattern matches: `; "git push --force" matches "git push -f"`. */
function matchText({ command }: Answer, request: PolicyRequest): string {
  if (command === undefined || command.pattern.words.length === 0 || request.kind !== 'exec') return '';
  if (command.through !== undefined)
    return `; "${printable(command.pattern.source)}" would match if "${printable(command.through)}" were the right words`;
  const { matched } = matchedWords(command, request, 'show');
  if (matched.length === request.argv.length) return '';
  return `; "${printable(command.pattern.source)}" matches "${printable(matched.join(' '))}"`;
}

/** The part that is the same for every request. */
export function messageEnd(answer: Answer): string {
  answer.memo.outcome ??= `${outcomeOf(answer)}: ${causeOf(answer)}`;
  return answer.memo.outcome;
}

function outcomeOf({ decision, redirectTo }: Answer): string {
  switch (decision) {
    case 'allow':
      return 'allowed';
    case 'audit':
      return 'is allowed and journalled';
    case 'redirect':
      return `goes to ${printable(redirectTo ?? 'nowhere')} instead`;
    case 'stage':
      return 'is kept aside until it is reviewed';
    case 'ask':
      return 'waits for approval';
    case 'deny':
      return 'is refused';
  }
}

/** Returns the reason without the subject: "nothing in the policy grants it". */
export function causeOf(answer: Answer): string {
  const because = answer.reason === undefined ? '' : ` (${printable(answer.reason)})`;
  const verb = answer.held === 'beneath' ? 'holds' : 'is';
  switch (answer.code) {
    case 'granted':
      return `${originText(answer)} grants it${because}`;
    case 'rule':
      return `${originText(answer)} says so${because}`;
    case 'deny-set':
      return `${originText(answer)} rules it out${because}`;
    case 'not-granted':
      return answer.held === 'outside'
        ? 'it is outside the workspace, and nothing in the policy grants it'
        : 'nothing in the policy grants it';
    case 'outside-ceiling':
      return `${originText(answer)} does not include it`;
    case 'credential-store':
      return `it ${verb} a credential store${because}`;
    case 'protected-path':
      return `it ${verb} a protected path${because}`;
    case 'hidden-file':
      return `it ${verb} a hidden file${because}`;
    case 'policy-file':
      return answer.held === 'beneath' ? `it holds a policy file${because}` : `it belongs to the policy${because}`;
    case 'withheld':
      return `a program would load it by itself, and nobody has approved it${because}`;
    case 'unknown-word':
      return `${originText(answer)} may be about it${because}`;
    case 'not-understood':
      return `its effect is not known${because}`;
    case 'command-class':
      return `it can do more than ${originText(answer)} lets it${because}`;
    case 'planted-program':
      return `the program is where the box can write${because}`;
    case 'unrepresentable':
      return 'it is not a valid request (programs need a name, paths are absolute, hosts are names or addresses, and none has control characters)';
  }
}

/** For example `files.read[0] of ~/.config/holdfast/policy.toml:3`. */
export function originText({ rule, file, line }: Pick<Answer, 'rule' | 'file' | 'line'>): string {
  if (file === builtinFile) return `the built-in ${printable(rule)}`;
  return line === 0 ? `${printable(rule)} of ${printable(file)}` : `${printable(rule)} of ${printable(file)}:${line}`;
}

/** Returns the subject of a request, for a sentence: "writing /etc/passwd". One line, without control characters. */
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

/** Brackets separate an IPv6 address from its port. */
function hostText(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${printable(host)}]` : printable(host);
}

const fileVerbs = {
  read: 'reading',
  write: 'writing',
  create: 'creating',
  delete: 'deleting',
  execute: 'executing',
} as const;
const socketVerbs = { connect: 'connecting to', bind: 'binding', send: 'sending to' } as const;
const registryVerbs = { read: 'reading', write: 'writing', create: 'creating', delete: 'deleting' } as const;
const signalTargets = {
  self: 'itself',
  child: 'a child',
  box: 'a process of the box',
  supervisor: 'the supervisor',
  outside: 'a process outside the box',
} as const;

/** The words of a command that a pattern matches. */
interface MatchedWords {
  /** Words as spelled, the program first: `git push -fu`. */
  readonly matched: readonly string[];
  /** The remaining arguments; of `-fu` the `-u`. Undefined if the command is too long to split. */
  readonly rest: readonly string[] | undefined;
}

/** Longer commands are not split, because each argument is read together with all arguments before it. */
const mostWords = 200;
const shownWords = 50;

/** Only for messages and redirects. Matching is decided elsewhere. */
export function matchedWords(
  { pattern }: MatchedCommand,
  { program, argv }: ExecRequest,
  purpose: 'show' | 'substitute',
): MatchedWords {
  const length = pattern.words.length + 1;
  if (purpose === 'show' && startsAsWritten(pattern, { argv }, 'wide'))
    return { matched: argv.slice(0, length), rest: undefined };
  const limit = purpose === 'show' ? shownWords : mostWords;
  const words = argv.slice(0, limit);
  const name = baseName(pattern.program.literal ?? program);
  const wanted = patternReader(canonicalise)(pattern, name);
  const places = placesOf({ words, name }, wanted);
  const matched = [argv[0] ?? program, ...words.filter((_, index) => places.get(index) !== undefined)];
  const rest = argv.slice(1).flatMap((word, index) => places.get(index + 1) ?? [word]);
  return { matched, rest: argv.length > limit ? undefined : rest };
}

interface Command {
  readonly words: readonly string[];
  readonly name: string;
}

/** Maps each matched word to its remainder. */
function placesOf({ words, name }: Command, wanted: PatternWords): ReadonlyMap<number, readonly string[]> {
  const places = new Map<number, readonly string[]>();
  let operand = 0;
  let before = canonicalise(name, words.slice(0, 1));
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const upTo = canonicalise(name, words.slice(0, index + 1));
    const wildcard = wanted.operands[operand];
    if (
      upTo.operands.length > before.operands.length &&
      upTo.operands.at(-1) === word &&
      wildcard !== undefined &&
      matchesWildcard(wildcard, word)
    ) {
      places.set(index, []);
      operand += 1;
    } else if (word.startsWith('-') && upTo.options.length > before.options.length) {
      const left = leftOf(word, upTo.options.slice(before.options.length), wanted);
      if (left !== undefined) places.set(index, left);
    } else if (places.has(index - 1) && upTo.operands.length === before.operands.length && !word.startsWith('-'))
      places.set(index, []);
    before = upTo;
  }
  return places;
}

/** Undefined if none of its options is in the pattern. Otherwise the remainder of a cluster of letters. */
function leftOf(
  word: string,
  options: readonly CanonicalOption[],
  wanted: PatternWords,
): readonly string[] | undefined {
  const isMatched = (option: CanonicalOption): boolean =>
    wanted.options.some(({ names }) => isOption({ names }, option)) ||
    (wanted.wildOptions.length > 0 &&
      hasOptions({ ...wanted, options: [] }, { options: [option], operands: [], understood: true }));
  const others = options.filter((option) => !isMatched(option));
  if (others.length === options.length) return undefined;
  if (!/^-[A-Za-z]{2,}$/.test(word)) return [];
  const letters = Array.from(word.slice(1)).filter((letter) =>
    others.some(({ names }) => names.includes(`-${letter}`)),
  );
  return letters.length === 0 ? [] : [`-${letters.join('')}`];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
