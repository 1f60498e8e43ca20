import type { CompoundList, Function, Script, SyntaxNode } from 'unbash';
import { isMisread } from './command.ts';
import { painted } from './coverage.ts';
import { dialectOf } from './dialect.ts';
import { branch, enterBranches, opaque, ownShell, present, type Of } from './places.ts';
import { calculate, visitArithmeticWord, visitNumbers, visitQuoted } from './visit-arithmetic.ts';
import { visitCommand, visitCoproc, visitPipeline, visitRedirected } from './visit-commands.ts';
import { visitHereDocument, visitParameter, visitSubstitution } from './visit-expansions.ts';
import type { Place, Visit, Walk } from './walk.ts';

type Visitors = { readonly [Type in SyntaxNode['type']]?: (node: Of<Type>, place: Place, walk: Walk) => void };

/** Paints the node, and does what its kind asks for; the children of all others are entered where they stand. */
export const visit: Visit = (node, place, walk) => {
  const kind = paint[node.type];
  if (kind !== undefined) place.source.coverage.kinds.fill(kind, node.pos, node.end);
  const construct = walk.findings.language === 'posix' ? dialectOf(node, place.source.text) : undefined;
  if (construct !== undefined) opaque(walk, { kind: 'shell', message: `\`${construct}\` means different things to different shells called sh` }, [node, place]);
  const visitor = visitors[node.type] as ((node: SyntaxNode, place: Place, walk: Walk) => void) | undefined;
  if (visitor === undefined) walk.enterChildren(node, place);
  else visitor(node, place, walk);
};

const { word, quoted, text } = painted;
const paint: { readonly [Type in SyntaxNode['type']]?: number } = {
  Word: word, Assignment: word, Redirect: word, HereString: word, HereDoc: word, Time: word, Negation: word, SingleQuoted: quoted, AnsiCQuoted: quoted,
  DoubleQuoted: text, LocaleString: text, TestCommand: text, ArithmeticCommand: text, ArithmeticExpansion: text, ArithmeticWord: text, ArithmeticBinary: text,
  ArithmeticUnary: text, ArithmeticTernary: text, ArithmeticGroup: text,
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
    if (isMisread(node)) opaque(walk, { kind: 'uncovered', message: `\`${node.name}=\` has a value that is not read as the shell reads it` }, [node, place]);
    if (node.index === undefined) walk.enterChildren(node, place);
    else {
      walk.findings.calculates = true;
      walk.enter(node.index, { ...place, quotes: 'characters' });
      walk.enter(node.value, place);
    }
  },
  CompoundList: visitList,
  Statement: (node, place, walk) => walk.enter(node.command, node.background === true ? ownShell(place, walk) : place),
  Subshell: (node, place, walk) => walk.enterChildren(node, ownShell(place, walk)),
  AndOr(node, place, walk) {
    node.commands.forEach((command, index) => walk.enter(command, index === 0 ? place : { ...place, runs: 'conditional', after: node.operators[index - 1] === '&&' ? 'success' : 'failure' }));
  },
  If: (node, place, walk) => enterBranches([node.clause, node.then, ...node.elif, ...present(node.else)], 1, [place, walk]),
  Elif: (node, place, walk) => enterBranches([node.clause, node.then], 0, [place, walk]),
  While(node, place, walk) {
    walk.enter(node.clause, { ...place, position: 'branch' });
    walk.enter(node.body, branch(place));
  },
  For: visitLoop,
  Select: visitLoop,
  ArithmeticFor(node, place, walk) {
    walk.findings.calculates = true;
    enterBranches([...present(node.initialize), ...present(node.test), ...present(node.update), node.body], 1, [place, walk]);
  },
  CaseItem: (node, place, walk) => walk.enterChildren(node, branch(place)),
  ArithmeticCommand: calculate,
  ArithmeticWord: visitArithmeticWord,
  Negation(node, place, walk) {
    // With extended patterns, which are on, this is a pattern wherever a word may stand.
    if (place.source.text.charAt(node.end) === '(') opaque(walk, { kind: 'uncovered', message: '`!(` may begin a pattern' }, [node, place]);
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

function visitScript(node: Script, place: Place, walk: Walk): void {
  for (const { message, pos } of 'errors' in node ? ((node.errors ?? []) as readonly { message: string; pos: number }[]) : []) {
    opaque(walk, { kind: 'syntax', message: `the shell would not read this: ${message}` }, [{ pos, end: pos + 1 }, place]);
  }
  visitList(node, place, walk);
}

/** What stands before a list stands before its first command. */
function visitList(node: Script | CompoundList, place: Place, walk: Walk): void {
  const rest: Place = { ...place, after: 'any' };
  node.commands.forEach((statement, index) => walk.enter(statement, index === 0 ? place : rest));
}

function visitFunction(node: Function, place: Place, walk: Walk): void {
  walk.findings.defined.add(node.name.value);
  enterBranches([node.name, node.body], 1, [place, walk]);
}

function visitLoop(node: Of<'For' | 'Select'>, place: Place, walk: Walk): void {
  const words = [node.name, ...(node.wordlist ?? [])];
  enterBranches([...words, node.body], words.length, [place, walk]);
}
