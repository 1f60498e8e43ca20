import type { Redirection } from 'unbash';
import type { Redirect, Stdin } from '../types.ts';
import { spanIn, type SourceText } from './source-text.ts';
import { readAssigned, readWord } from './word.ts';

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

/** The file that a redirection opens; undefined for here-documents and duplicated descriptors. */
export function readRedirect(redirection: Redirection, source: SourceText): Redirect | undefined {
  if (redirection.type !== 'Redirect' || redirection.target === undefined) return undefined;
  const use = uses[redirection.operator];
  if (use === undefined) return undefined;
  const target = readWord(redirection.target, source);
  if (redirection.operator === '>&' && target.kind === 'static' && /^(?:\d+-?|-)$/u.test(target.value))
    return undefined;
  return { use, target, span: spanIn(source, redirection) };
}

/** What a command reads, when one of its redirections says so: the last one counts. */
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
  // A descriptor that was opened earlier: what it holds is not followed.
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
