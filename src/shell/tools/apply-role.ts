import type { Opacity, PathEffect, RunEffect, Word } from '../types.ts';
import { type CommandFindings, addOpaque } from './findings.ts';
import { hostOf, type Location, locationOfRemote, locationOfUrl } from './hosts.ts';
import { isOfProject, pathEffect, type PathBase } from './paths.ts';
import type { Role } from './types.ts';
import { isInput, wordAsTyped, staticWord, plainText } from './words.ts';

export interface RoleContext {
  readonly findings: CommandFindings;
  readonly place: PathBase;
  /** Source of the word's role: an option as spelled, or the tool's name. */
  readonly origin: string;
  /** Paths include everything below them. */
  readonly isDeep: boolean;
  readonly dash: 'stream' | 'file';
}

/** Records the effect of a word in its role. The caller handles words of the roles `command` and `command-list`. */
export function applyRole(role: Role, word: Word, context: RoleContext): void {
  switch (role) {
    case 'read':
    case 'read-tree':
    case 'write':
    case 'write-tree':
    case 'delete':
    case 'delete-tree':
      return applyPath(word, pathRoles[role], context);
    case 'host':
    case 'url':
    case 'remote':
    case 'remote-write':
      return applyLocation(role, word, context);
    case 'script':
    case 'program':
    case 'code':
    case 'code-file':
      return applyCode(role, word, context);
    case 'assignment':
      return applyAssignment(word, context);
    case 'refused':
      return addOpaque(context.findings, 'inline-code', {
        message: `\`${context.origin} ${wordAsTyped(word)}\` is never harmless`,
        span: word.span,
      });
    case 'directory':
      if (word.kind !== 'static') unclear(word, context);
      return;
    case 'text':
    case 'command':
    case 'command-list':
    case 'word-list':
      return;
  }
}

type PathRole = 'read' | 'read-tree' | 'write' | 'write-tree' | 'delete' | 'delete-tree';

const pathRoles: Readonly<Record<PathRole, Pick<PathEffect, 'use' | 'scope'>>> = {
  read: { use: 'read', scope: 'file' },
  'read-tree': { use: 'read', scope: 'tree' },
  write: { use: 'write', scope: 'file' },
  'write-tree': { use: 'write', scope: 'tree' },
  delete: { use: 'delete', scope: 'file' },
  'delete-tree': { use: 'delete', scope: 'tree' },
};

function applyPath(word: Word, how: Pick<PathEffect, 'use' | 'scope'>, context: RoleContext): void {
  if (plainText(word) === '-' && context.dash === 'stream') return;
  const effect = pathEffect(word, context.place, context.isDeep ? { ...how, scope: 'tree' } : how);
  (how.use === 'read' ? context.findings.reads : context.findings.writes).push(effect);
  if (effect.path !== undefined) return;
  const bound = boundOfUse[how.use];
  if (word.kind !== 'static') unclear(word, context, bound);
  else
    addOpaque(context.findings, 'dynamic-word', {
      message: `\`${wordAsTyped(word)}\` is relative to a directory that is not known`,
      span: word.span,
      ...bound,
    });
}

/** A path that is read is only read, whichever path it is. */
const boundOfUse: Readonly<Record<PathEffect['use'], Pick<Opacity, 'atMost'>>> = {
  read: { atMost: 'reads' },
  write: {},
  delete: { atMost: 'destroys' },
};

function unclear(word: Word, { findings, origin }: RoleContext, bound: Pick<Opacity, 'atMost'> = {}): void {
  addOpaque(findings, 'dynamic-word', {
    message: `\`${wordAsTyped(word)}\` of \`${origin}\` is not known before it runs`,
    span: word.span,
    ...bound,
  });
}

function applyLocation(role: 'host' | 'url' | 'remote' | 'remote-write', word: Word, context: RoleContext): void {
  const text = plainText(word);
  if (text === undefined) {
    const isPath = word.kind === 'static' || (word.kind === 'glob' && word.prefix.includes('/'));
    if (isPath && role !== 'host' && role !== 'url') return applyPath(word, remotePath[role], context);
    context.findings.hosts.push({ host: undefined, port: undefined, text: wordAsTyped(word) });
    // To git, a URL may name a program: `ext::`.
    return unclear(word, context, role === 'url' && context.origin === 'curl' ? { atMost: 'reaches out' } : {});
  }
  const location: Location =
    role === 'host'
      ? { kind: 'host', host: hostOf(text) }
      : role === 'url'
        ? locationOfUrl(text)
        : locationOfRemote(text);
  if (location.kind === 'file')
    return applyPath(
      staticWord(location.path, word.span),
      role === 'remote-write' ? remotePath[role] : remotePath.remote,
      context,
    );
  context.findings.hosts.push(location.host);
  if (location.host.host === undefined)
    addOpaque(context.findings, 'dynamic-word', {
      message: `\`${text}\` of \`${context.origin}\` names no single host`,
      span: word.span,
    });
}

const remotePath: Readonly<Record<'remote' | 'remote-write', Pick<PathEffect, 'use' | 'scope'>>> = {
  remote: { use: 'read', scope: 'tree' },
  'remote-write': { use: 'write', scope: 'tree' },
};

function applyCode(role: 'script' | 'program' | 'code' | 'code-file', word: Word, context: RoleContext): void {
  const { findings, origin } = context;
  const text = wordAsTyped(word);
  if (role === 'script') {
    findings.scripts.push(word);
    return;
  }
  if (role === 'code-file') {
    if (isInput(plainText(word)))
      return addOpaque(findings, 'stdin-code', { message: `\`${origin}\` runs its input`, span: word.span });
    if (plainText(word) === '/dev/null') return;
    applyPath(word, pathRoles.read, context);
    const code = codeOfFile(pathEffect(word, context.place, pathRoles.read).path, context.place);
    findings.runs.push({ what: text, kind: code.runs });
    return addOpaque(findings, code.reason, {
      message: `\`${origin}\` runs the file \`${text}\`${code.doubt}`,
      span: word.span,
    });
  }
  if (role === 'code') {
    findings.runs.push({ what: origin, kind: 'inline-code' });
    return addOpaque(findings, 'inline-code', { message: `\`${origin}\` runs code`, span: word.span });
  }
  findings.runs.push({ what: text, kind: 'program' });
  addOpaque(findings, 'inline-code', { message: `\`${origin}\` runs \`${text}\``, span: word.span });
  // The program gets words from the tool, which nobody sees here.
  if (/^[\w./+-]+$/u.test(text))
    findings.commands.push([word, { kind: 'dynamic', text: '…', because: 'unreadable', span: word.span }]);
  else findings.scripts.push(word);
}

export interface CodeOfFile {
  readonly runs: RunEffect['kind'];
  readonly reason: Opacity['kind'];
  readonly doubt: string;
}

/**
 * The project's own code needs no question by itself. Nobody has reviewed a file elsewhere, and a download is in /tmp.
 */
export function codeOfFile(path: string | undefined, place: PathBase): CodeOfFile {
  return isOfProject(path, place)
    ? { runs: 'repository-code', reason: 'repository-code', doubt: '' }
    : { runs: 'program', reason: 'unknown-tool', doubt: ", which is not the project's" };
}

function applyAssignment(word: Word, context: RoleContext): void {
  const text = plainText(word);
  const equals = text?.indexOf('=') ?? -1;
  if (text === undefined || equals < 1) return unclear(word, context);
  context.findings.assignments.push({
    name: text.slice(0, equals),
    value: staticWord(text.slice(equals + 1), word.span),
    span: word.span,
  });
}
