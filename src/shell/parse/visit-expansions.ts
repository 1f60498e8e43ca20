import type { Script } from 'unbash';
import { painted } from './coverage.ts';
import { opaque, ownShell, type Of } from './places.ts';
import { spanIn } from './source-text.ts';
import { openSource, type Place, type Walk } from './walk.ts';

export function visitSubstitution(node: Of<'CommandExpansion' | 'ArithmeticCommandExpansion' | 'ProcessSubstitution'>, place: Place, walk: Walk): void {
  const { coverage } = place.source;
  coverage.openings.add(node.pos).add(node.end - 1);
  const depth = place.depth + 1;
  const script = walk.meter.script(depth) ? node.script : undefined;
  if (script === undefined) {
    opaque(walk, { kind: 'budget', message: 'scripts within scripts are nested too deep' }, [node, place]);
    return;
  }
  const inner: Place = { ...ownShell(place, walk), after: 'any', quotes: 'quotes', nesting: isPlain(script) ? 'plain' : 'compound', depth, relation: 'substitution', stdin: node.type === 'ProcessSubstitution' && node.operator === '>' ? { kind: 'pipe', from: place.parent } : place.stdin };
  if (script.source === undefined) {
    coverage.kinds.fill(painted.gap, script.pos, script.end);
    walk.enter(script, inner);
    return;
  }
  coverage.kinds.fill(painted.quoted, node.pos + 1, node.end - 1);
  // What is left of several backslashes before a line end, or of one in single quotes, differs between bash and the parser.
  if (node.text.includes('\\\\\n') || (node.text.includes('\\\n') && node.text.includes("'"))) opaque(walk, { kind: 'uncovered', message: 'backslashes before a line end in backticks are not read as the shell reads them' }, [node, place]);
  const source = openSource(script.source, spanIn(place.source, node));
  walk.findings.sources.push(source);
  walk.enter(script, { ...inner, source });
}

/** A command, or a pipeline of simple ones. */
function isPlain({ commands }: Script): boolean {
  const [only] = commands;
  if (only === undefined || commands.length > 1 || only.background === true) return false;
  return only.command.type === 'Command' || (only.command.type === 'Pipeline' && only.command.commands.every(({ type }) => type === 'Command'));
}

export function visitHereDocument(node: Of<'HereDoc'>, place: Place, walk: Walk): void {
  const { kinds } = place.source.coverage;
  kinds.fill(node.delimiter?.quoted === true ? painted.quoted : painted.text, node.body.pos, node.body.end);
  if (node.closing === undefined) opaque(walk, { kind: 'syntax', message: 'a here-document has no end' }, [node, place]);
  else kinds.fill(painted.word, node.closing.pos, node.closing.end);
  // Bash writes a substitution down and reads it again, and loses separators behind a here-document.
  if (place.nesting === 'compound') {
    opaque(walk, { kind: 'uncovered', message: 'a here-document among several commands in a substitution is not read as the shell reads it' }, [node, place]);
  }
  // Single quotes are characters in a here-document, also within the braces, where the parser takes them for quotes.
  const misread = node.body.parts?.find((part) => (part.type === 'ParameterExpansion' || part.type === 'ArithmeticExpansion') && part.text.includes("'"));
  if (misread !== undefined) opaque(walk, { kind: 'uncovered', message: `\`${misread.text}\` in a here-document is not read as the shell reads it` }, [misread, place]);
  walk.enterChildren(node, place);
}

export function visitParameter(node: Of<'ParameterExpansion'>, place: Place, walk: Walk): void {
  place.source.coverage.openings.add(node.pos);
  const { operation } = node;
  if (operation?.type === 'Unknown' || (operation?.type === 'Transform' && operation.operand.text.includes('P'))) {
    opaque(walk, { kind: 'uncovered', message: `\`${node.text}\` evaluates what the variable holds` }, [node, place]);
  }
  const calculates = node.index !== undefined || operation?.type === 'Slice';
  if (calculates) walk.findings.calculates = true;
  walk.enterChildren(node, calculates ? { ...place, quotes: 'characters' } : place);
}
