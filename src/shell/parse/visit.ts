import type { CompoundList, Function, Script, SyntaxNode, Word } from 'unbash';
import { isMisread } from './command.ts';
import { kindOfNode, painted, spanIn } from './coverage.ts';
import {
  branch,
  dialectOf,
  enterBranches,
  type Of,
  noteOpaque,
  ownJob,
  ownShell,
  asList,
  type Reason,
} from './dialect.ts';
import { payloads } from './hazards.ts';
import { visitCommand, visitCoproc, visitPipeline, visitRedirected } from './visit-commands.ts';
import { openSource, type NodePlace, type Visit, type SyntaxWalk } from './walk.ts';
import { isBalanced, readWord } from './word.ts';

type Visitors = {
  readonly [Type in SyntaxNode['type']]?: (node: Of<Type>, place: NodePlace, walk: SyntaxWalk) => void;
};

/** Marks the node's characters, and handles its kind. Children of all other kinds are entered in place. */
export const visit: Visit = (node, place, walk) => {
  const kind = kindOfNode[node.type];
  if (kind !== undefined) place.source.coverage.kinds.fill(kind, node.pos, node.end);
  const construct = walk.findings.language === 'posix' ? dialectOf(node, place.source.text) : undefined;
  if (construct !== undefined)
    noteOpaque(
      walk,
      { kind: 'shell', message: `\`${construct}\` means different things to different shells called sh` },
      [node, place],
    );
  const visitor = visitors[node.type] as ((node: SyntaxNode, place: NodePlace, walk: SyntaxWalk) => void) | undefined;
  if (visitor === undefined) walk.enterChildren(node, place);
  else visitor(node, place, walk);
};

const visitors: Visitors = {
  Script: visitScript,
  Command: visitCommand,
  Pipeline: visitPipeline,
  Redirected: visitRedirected,
  Coproc: visitCoproc,
  Function: visitFunction,
  CommandExpansion: visitSubstitution,
  ArithmeticCommandExpansion: visitSubstitution,
  ProcessSubstitution: visitSubstitution,
  HereDoc: visitHereDocument,
  ParameterExpansion: visitParameter,
  Assignment(node, place, walk) {
    if (isMisread(node))
      noteOpaque(
        walk,
        { kind: 'uncovered', message: `\`${node.name}=\` has a value that is not read as the shell reads it` },
        [node, place],
      );
    if (node.index === undefined) walk.enterChildren(node, place);
    else {
      walk.findings.calculates = true;
      walk.enter(node.index, { ...place, quotes: 'characters' });
      walk.enter(node.value, place);
    }
  },
  CompoundList: visitList,
  Statement(node, place, walk) {
    if (node.background !== true) walk.enter(node.command, place);
    else
      walk.enter(node.command, {
        ...ownJob(place, walk),
        ...(place.endless === undefined ? {} : { endless: 'background' }),
      });
  },
  Subshell: (node, place, walk) => walk.enterChildren(node, ownShell(place, walk)),
  AndOr(node, place, walk) {
    node.commands.forEach((command, index) =>
      walk.enter(
        command,
        index === 0
          ? place
          : { ...place, runs: 'conditional', after: node.operators[index - 1] === '&&' ? 'success' : 'failure' },
      ),
    );
  },
  If: (node, place, walk) =>
    enterBranches([node.clause, node.then, ...node.elif, ...asList(node.else)], 1, [place, walk]),
  Elif: (node, place, walk) => enterBranches([node.clause, node.then], 0, [place, walk]),
  While(node, place, walk) {
    walk.enter(node.clause, { ...place, position: 'branch' });
    const clause = place.source.text.slice(node.clause.pos, node.clause.end).trim();
    const isEndless = /^(?:true|:|false);?$/u.test(clause);
    walk.enter(node.body, isEndless ? { ...branch(place), endless: 'loop' } : branch(place));
  },
  For: visitLoop,
  Select: visitLoop,
  ArithmeticFor(node, place, walk) {
    walk.findings.calculates = true;
    enterBranches([...asList(node.initialize), ...asList(node.test), ...asList(node.update), node.body], 1, [
      place,
      walk,
    ]);
  },
  CaseItem: (node, place, walk) => walk.enterChildren(node, branch(place)),
  ArithmeticCommand: calculate,
  ArithmeticWord: visitArithmeticWord,
  Negation(node, place, walk) {
    // Extended patterns are on, so this is a pattern wherever a word is allowed.
    if (place.source.text.charAt(node.end) === '(')
      noteOpaque(walk, { kind: 'uncovered', message: '`!(` may begin a pattern' }, [node, place]);
  },
  SingleQuoted: visitQuoted,
  AnsiCQuoted: visitQuoted,
  ArithmeticExpansion: calculate,
  TestBinary(node, place, walk) {
    if (/^-(?:eq|ne|lt|le|gt|ge)$/u.test(node.operator)) visitNumbers([node.left, node.right], place, walk);
    walk.enterChildren(node, place);
  },
  TestUnary(node, place, walk) {
    if (node.operator === '-v') visitNumbers([node.operand], place, walk);
    walk.enterChildren(node, place);
  },
  SimpleExpansion: (node, { source }) => void source.coverage.openings.add(node.pos),
};

function visitScript(node: Script, place: NodePlace, walk: SyntaxWalk): void {
  for (const { message, pos } of 'errors' in node
    ? ((node.errors ?? []) as readonly { message: string; pos: number }[])
    : []) {
    noteOpaque(walk, { kind: 'syntax', message: `the shell would not read this: ${message}` }, [
      { pos, end: pos + 1 },
      place,
    ]);
  }
  visitList(node, place, walk);
}

/** The text before a list is also before its first command. */
function visitList(node: Script | CompoundList, place: NodePlace, walk: SyntaxWalk): void {
  const rest: NodePlace = { ...place, after: 'any' };
  node.commands.forEach((statement, index) => walk.enter(statement, index === 0 ? place : rest));
}

function visitFunction(node: Function, place: NodePlace, walk: SyntaxWalk): void {
  walk.findings.defined.add(node.name.value);
  enterBranches([node.name, node.body], 1, [{ ...place, inside: [...(place.inside ?? []), node.name.value] }, walk]);
}

function visitLoop(node: Of<'For' | 'Select'>, place: NodePlace, walk: SyntaxWalk): void {
  const words = [node.name, ...(node.wordlist ?? [])];
  walk.findings.loops.push({
    name: node.name.text,
    words: (node.wordlist ?? []).map((each) => readWord(each, place.source)),
    span: spanIn(place.source, node),
  });
  enterBranches([...words, node.body], words.length, [place, walk]);
}

function calculate(node: Of<'ArithmeticCommand' | 'ArithmeticExpansion'>, place: NodePlace, walk: SyntaxWalk): void {
  walk.findings.calculates = true;
  place.source.coverage.openings.add(node.pos);
  if (node.type === 'ArithmeticExpansion' && node.text.startsWith('$((') && !isBalanced(node.text.slice(3, -2))) {
    noteOpaque(
      walk,
      { kind: 'uncovered', message: `\`${node.text.slice(0, 40)}\` may be commands instead of arithmetic` },
      [node, place],
    );
  }
  walk.enterChildren(node, { ...place, quotes: 'characters' });
}

function visitArithmeticWord(node: Of<'ArithmeticWord'>, place: NodePlace, walk: SyntaxWalk): void {
  const text = place.source.text.slice(node.pos, node.end);
  const behindQuote = text.split("'").slice(1).join('');
  if (node.parts === undefined && /[$`]/u.test(behindQuote)) noteOpaque(walk, expandedAnyway(text), [node, place]);
  walk.enterChildren(node, { ...place, quotes: 'characters' });
}

function visitQuoted(node: Of<'SingleQuoted' | 'AnsiCQuoted'>, place: NodePlace, walk: SyntaxWalk): void {
  if (place.quotes === 'characters' && /[$`]/u.test(node.text.slice(1)))
    noteOpaque(walk, expandedAnyway(node.text), [node, place]);
}

function expandedAnyway(text: string): Reason {
  return { kind: 'uncovered', message: `\`${text}\` is expanded in arithmetic` };
}

/** Words that a test evaluates as arithmetic, or as the name of a variable, even in quotes. */
function visitNumbers(words: readonly Word[], { source }: NodePlace, { findings }: SyntaxWalk): void {
  findings.calculates = true;
  findings.payloads.push(...payloads(words.map((word) => readWord(word, source))));
}

function visitSubstitution(
  node: Of<'CommandExpansion' | 'ArithmeticCommandExpansion' | 'ProcessSubstitution'>,
  place: NodePlace,
  walk: SyntaxWalk,
): void {
  const { coverage } = place.source;
  coverage.openings.add(node.pos).add(node.end - 1);
  const depth = place.depth + 1;
  const script = walk.meter.script(depth) ? node.script : undefined;
  if (script === undefined) {
    noteOpaque(walk, { kind: 'budget', message: 'scripts within scripts are nested too deep' }, [node, place]);
    return;
  }
  const inner: NodePlace = {
    ...ownShell(place, walk),
    after: 'any',
    quotes: 'quotes',
    nesting: isPlain(script) ? 'plain' : 'compound',
    depth,
    relation: 'substitution',
    stdin:
      node.type === 'ProcessSubstitution' && node.operator === '>' ? { kind: 'pipe', from: place.parent } : place.stdin,
  };
  if (script.source === undefined) {
    coverage.kinds.fill(painted.gap, script.pos, script.end);
    walk.enter(script, inner);
    return;
  }
  coverage.kinds.fill(painted.quoted, node.pos + 1, node.end - 1);
  // Bash and the parser disagree on several backslashes before a line end, and on one in single quotes.
  if (node.text.includes('\\\\\n') || (node.text.includes('\\\n') && node.text.includes("'")))
    noteOpaque(
      walk,
      { kind: 'uncovered', message: 'backslashes before a line end in backticks are not read as the shell reads them' },
      [node, place],
    );
  const source = openSource(script.source, spanIn(place.source, node));
  walk.findings.sources.push(source);
  walk.enter(script, { ...inner, source });
}

/** A command, or a pipeline of simple ones. */
function isPlain({ commands }: Script): boolean {
  const [only] = commands;
  if (only === undefined || commands.length > 1 || only.background === true) return false;
  return (
    only.command.type === 'Command' ||
    (only.command.type === 'Pipeline' && only.command.commands.every(({ type }) => type === 'Command'))
  );
}

function visitHereDocument(node: Of<'HereDoc'>, place: NodePlace, walk: SyntaxWalk): void {
  const { kinds } = place.source.coverage;
  kinds.fill(node.delimiter?.quoted === true ? painted.quoted : painted.text, node.body.pos, node.body.end);
  if (node.closing === undefined)
    noteOpaque(walk, { kind: 'syntax', message: 'a here-document has no end' }, [node, place]);
  else kinds.fill(painted.word, node.closing.pos, node.closing.end);
  // Bash prints a substitution and parses it again, and loses separators after a here-document.
  if (place.nesting === 'compound') {
    noteOpaque(
      walk,
      {
        kind: 'uncovered',
        message: 'a here-document among several commands in a substitution is not read as the shell reads it',
      },
      [node, place],
    );
  }
  // In a here-document, single quotes are characters. Within braces, the parser wrongly reads them as quotes.
  const misread = node.body.parts?.find(
    (part) => (part.type === 'ParameterExpansion' || part.type === 'ArithmeticExpansion') && part.text.includes("'"),
  );
  if (misread !== undefined)
    noteOpaque(
      walk,
      { kind: 'uncovered', message: `\`${misread.text}\` in a here-document is not read as the shell reads it` },
      [misread, place],
    );
  walk.enterChildren(node, place);
}

function visitParameter(node: Of<'ParameterExpansion'>, place: NodePlace, walk: SyntaxWalk): void {
  place.source.coverage.openings.add(node.pos);
  const { operation } = node;
  if (operation?.type === 'Unknown' || (operation?.type === 'Transform' && operation.operand.text.includes('P'))) {
    noteOpaque(walk, { kind: 'uncovered', message: `\`${node.text}\` evaluates the content of the variable` }, [
      node,
      place,
    ]);
  }
  const calculates = node.index !== undefined || operation?.type === 'Slice';
  // `${!x}` evaluates the text in `x` as a name, with its subscript.
  if (calculates || /^\$\{!\w+(?:[^\w@*[]|\[(?![@*]\]))/u.test(node.text)) walk.findings.calculates = true;
  walk.enterChildren(node, calculates ? { ...place, quotes: 'characters' } : place);
}
