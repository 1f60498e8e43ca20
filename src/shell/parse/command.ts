import type { Assignment as ParsedAssignment, Command, Redirection, Word as Parsed } from 'unbash';
import type { Assignment, Redirect, Word } from '../types.ts';
import { readRedirect } from './redirect.ts';
import { spanIn, type SourceText } from './source-text.ts';
import { readAssigned, readWord } from './word.ts';

export interface CommandWords {
  readonly argv: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirect[];
}

/** The words of one simple command. Assignments after its name are words of it: `export x=1` gets them as arguments. */
export function readCommand(command: Command, source: SourceText): CommandWords {
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

/** Of arrays, their elements and `+=` the value is not what the variable holds afterwards. */
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

/** A value that begins with `(` and is no array: the parser lost its way in it, and the substitutions with it. */
export function isMisread(assignment: ParsedAssignment): boolean {
  return isWord(assignment.value) && /^(?:\\\n)*\(/u.test(assignment.value.text);
}

function isWord(value: ParsedAssignment['value']): value is Parsed {
  return value.type === 'Word';
}
