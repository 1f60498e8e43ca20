import type { Assignment as ParsedAssignment, Command, Redirection, Word as Parsed } from 'unbash';
import type { Assignment, Redirect, Stdin, Word } from '../types.ts';
import { type SourceText, spanIn } from './coverage.ts';
import { readAssigned, readWord } from './word.ts';

export interface SimpleCommand {
  readonly argv: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirect[];
}

/** Reads the words of one simple command. Assignments after its name are its arguments: `export x=1`. */
export function readCommand(command: Command, source: SourceText): SimpleCommand {
  const argv: Word[] = [];
  const assignments: Assignment[] = [];
  if (command.name !== undefined) argv.push(readWord(command.name, source));
  for (const item of command.prefix) if (item.type === 'Assignment') assignments.push(readAssignment(item, source));
  for (const item of command.suffix) {
    if (item.type === 'Word') argv.push(readWord(item, source));
    else if (item.type === 'Assignment') argv.push(assignmentWord(item, source));
  }
  return { argv, assignments, redirects: readRedirects(command.redirects, source) };
}

export function readRedirects(redirections: readonly Redirection[], source: SourceText): readonly Redirect[] {
  return redirections.flatMap((redirection) => readRedirect(redirection, source) ?? []);
}

function readAssignment(assignment: ParsedAssignment, source: SourceText): Assignment {
  return { name: assignment.name, value: assignedValue(assignment, source), span: spanIn(source, assignment) };
}

/** For arrays, their elements and `+=`, the value differs from the variable's later value. */
function assignedValue(assignment: ParsedAssignment, source: SourceText): Word {
  const { value } = assignment;
  if (value.type === 'ArrayValue' || assignment.append === true || assignment.index !== undefined) {
    return { kind: 'dynamic', text: assignment.text, because: 'unreadable', span: spanIn(source, assignment) };
  }
  return readAssigned(value, source);
}

function assignmentWord(assignment: ParsedAssignment, source: SourceText): Word {
  const span = spanIn(source, assignment);
  const { value, text } = assignment;
  const dynamic = (because: 'unreadable' | 'tilde'): Word => ({ kind: 'dynamic', text, because, span });
  if (value.type === 'ArrayValue' || assignment.index !== undefined) return dynamic('unreadable');
  const word = readAssigned(value, source);
  if (word.kind !== 'static')
    return { kind: 'dynamic', text, because: word.kind === 'dynamic' ? word.because : 'unreadable', span };
  if (word.lead !== undefined) return dynamic('tilde');
  return { kind: 'static', value: `${assignment.name}${assignment.append === true ? '+' : ''}=${word.value}`, span };
}

/** A value that begins with `(` but is not an array: the parser failed on it, and lost its substitutions. */
export function isMisread(assignment: ParsedAssignment): boolean {
  return isWord(assignment.value) && /^(?:\\\n)*\(/u.test(assignment.value.text);
}

function isWord(value: ParsedAssignment['value']): value is Parsed {
  return value.type === 'Word';
}

const uses = {
  '>': 'write',
  '>|': 'write',
  '>&': 'write',
  '&>': 'write',
  '>>': 'append',
  '&>>': 'append',
  '<': 'read',
  '<>': 'read-write',
  '<&': undefined,
} as const;

/** Returns the file that a redirection opens. Undefined for here-documents and duplicated descriptors. */
function readRedirect(redirection: Redirection, source: SourceText): Redirect | undefined {
  if (redirection.type !== 'Redirect' || redirection.target === undefined) return undefined;
  const use = uses[redirection.operator];
  if (use === undefined) return undefined;
  const target = readWord(redirection.target, source);
  if (redirection.operator === '>&' && target.kind === 'static' && /^(?:\d+-?|-)$/u.test(target.value))
    return undefined;
  return { use, target, span: spanIn(source, redirection) };
}

/** Returns a command's input if a redirection sets it. The last one counts. */
export function readStdin(redirections: readonly Redirection[], source: SourceText, otherwise: Stdin): Stdin {
  return redirections.reduce((stdin, redirection) => stdinOf(redirection, source) ?? stdin, otherwise);
}

function stdinOf(redirection: Redirection, source: SourceText): Stdin | undefined {
  if (!concernsStdin(redirection)) return undefined;
  switch (redirection.type) {
    case 'HereDoc':
      return { kind: 'text', text: hereDocument(redirection) };
    case 'HereString': {
      const word = redirection.target && readAssigned(redirection.target, source);
      return { kind: 'text', text: word?.kind === 'static' && word.lead === undefined ? `${word.value}\n` : undefined };
    }
    case 'Redirect':
      return redirection.target && fromFile(redirection.operator, redirection.target, source);
  }
}

function fromFile(operator: string, target: Parameters<typeof readWord>[0], source: SourceText): Stdin | undefined {
  const path = readWord(target, source);
  if (operator === '<' || operator === '<>') return { kind: 'file', path };
  // A descriptor that was opened earlier. Its content is not followed.
  return operator === '<&'
    ? { kind: 'file', path: { kind: 'dynamic', text: target.text, because: 'unreadable', span: path.span } }
    : undefined;
}

function concernsStdin({ descriptor, type, ...rest }: Redirection): boolean {
  if (descriptor?.type === 'FileDescriptor') return descriptor.value === 0;
  if (descriptor !== undefined) return false;
  return type !== 'Redirect' || ('operator' in rest && rest.operator.startsWith('<'));
}

function hereDocument({ operator, delimiter, body }: Extract<Redirection, { type: 'HereDoc' }>): string | undefined {
  const parts = body.parts ?? [];
  if (parts.some((part) => part.type !== 'Literal')) return undefined;
  const text = operator === '<<-' ? body.text.replace(/^\t+/gmu, '') : body.text;
  return delimiter?.quoted === false
    ? text.replace(/\\([\\$`\n])/gu, (_, char: string) => (char === '\n' ? '' : char))
    : text;
}
