import type { Command, Coproc, Pipeline, Redirected, SyntaxNode } from 'unbash';
import type { Word } from '../types.ts';
import { type SimpleCommand, readCommand, readRedirects, readStdin } from './command.ts';
import { aliases, calculatesWith, commandHazards, payloads } from './hazards.ts';
import { noteOpaque, ownJob, ownShell, asList, within } from './dialect.ts';
import { spanIn } from './coverage.ts';
import type { Pipe, NodePlace, SyntaxWalk } from './walk.ts';

/** More words would be read at once before the budget is checked. */
const mostWords = 4096;

export function visitCommand(node: Command, place: NodePlace, walk: SyntaxWalk): void {
  if (node.prefix.length + node.suffix.length > mostWords) {
    noteOpaque(walk, { kind: 'budget', message: 'a command has too many words' }, [node, place]);
    return;
  }
  const words = readCommand(node, place.source);
  const stdin = readStdin(node.redirects, place.source, place.stdin);
  const id = emit(node, { ...place, stdin }, [words, walk]);
  if (place.feeds !== undefined) place.feeds.from = id;
  const { findings } = walk;
  findings.opaque.push(...commandHazards(words));
  for (const name of aliases(words)) findings.defined.add(name);
  findings.payloads.push(
    ...payloads(words.argv.slice(1)),
    ...payloads(words.assignments.map(({ value }) => value)),
    ...payloads(inputOf(stdin, node, place)),
  );
  findings.calculates ||= calculatesWith(words);
  for (const { kind, span, ...rest } of words.argv) {
    if (kind === 'dynamic' && 'because' in rest && rest.because === 'unreadable' && /[()<>|&;\s]/u.test(rest.text))
      findings.opaque.push({ kind: 'uncovered', message: `\`${rest.text}\` is not read as the shell reads it`, span });
  }
  checkEnds([...node.prefix, ...asList(node.name), ...node.suffix], place, walk);
  walk.enterChildren(node, within(place, id));
}

/** Words that `read` puts into a variable. */
function inputOf(stdin: NodePlace['stdin'], node: Command, { source }: NodePlace): readonly Word[] {
  return stdin.kind === 'text' && stdin.text !== undefined
    ? [{ kind: 'static', value: stdin.text, span: spanIn(source, node) }]
    : [];
}

/** Possible continuations of a word. A process substitution that continues the word counts as its end. */
const wordEnd = /^(?:$|[\s;&|()`]|\\\n|[<>](?!\())/u;

const brokenDescriptor = /^[0-9][0-9\\\n]*[<>]/u;

/**
 * `>&-x` closes a descriptor, and `x` is a separate word. `{f\⏎d}>x` is a redirection although its descriptor spans two
 * lines, and so is `2\⏎>x`.
 */
function isOtherRedirect(node: SyntaxNode, text: string): boolean {
  if (node.type === 'Redirect') return /^-./u.test(node.target?.text ?? '') && node.operator.endsWith('&');
  return (
    node.type === 'Word' &&
    (node.text.startsWith('{') || brokenDescriptor.test(text.slice(node.pos, node.end + 3))) &&
    text.slice(node.pos, node.end + 3).includes('\\\n')
  );
}

function checkEnds(nodes: readonly SyntaxNode[], place: NodePlace, walk: SyntaxWalk): void {
  const { text } = place.source;
  const glued = nodes.find((node) => !wordEnd.test(text.slice(node.end, node.end + 2)) || isOtherRedirect(node, text));
  if (glued !== undefined)
    noteOpaque(
      walk,
      { kind: 'uncovered', message: `\`${text.slice(glued.pos, glued.end + 8)}\` is not read as the shell reads it` },
      [glued, place],
    );
}

/** Adds a command to the list, and returns its number. */
function emit(
  node: { readonly pos: number; readonly end: number },
  place: NodePlace,
  [words, { findings }]: readonly [SimpleCommand, SyntaxWalk],
): number {
  const id = findings.invocations.length;
  const { parent, relation, stdin, runs, source, shell, after, position, inside, job, endless } = place;
  findings.invocations.push({
    id,
    parent,
    relation,
    ...words,
    stdin,
    runs,
    shell,
    after,
    place: position,
    ...(inside === undefined ? {} : { inside }),
    ...(job === undefined ? {} : { job }),
    ...(endless === 'background' ? { floods: true } : {}),
    span: spanIn(source, node),
  });
  return id;
}

/** Every stage reads the output of the stage before it. */
export function visitPipeline(node: Pipeline, place: NodePlace, walk: SyntaxWalk): void {
  for (const prefix of node.prefixes) walk.enter(prefix, place);
  const [single] = node.commands;
  if (node.commands.length === 1 && single !== undefined) {
    // After `! cd a &&` the shell is still in its old directory, so the directory is as uncertain as after a branch.
    walk.enter(
      single,
      node.prefixes.some(({ type }) => type === 'Negation') ? { ...place, position: 'branch' } : place,
    );
    return;
  }
  let before: Pipe | undefined;
  for (const command of node.commands) {
    const feeds: Pipe = { kind: 'pipe', from: undefined };
    // The output of a group or a loop comes from any of its commands.
    walk.enter(command, {
      ...ownShell(place, walk),
      feeds: command.type === 'Command' ? feeds : undefined,
      stdin: before ?? place.stdin,
    });
    before = feeds;
  }
}

/** Redirected files of a compound command belong to a command without words. */
export function visitRedirected(node: Redirected, place: NodePlace, walk: SyntaxWalk): void {
  const redirects = readRedirects(node.redirects, place.source);
  const id =
    redirects.length === 0 ? place.parent : emit(node, place, [{ argv: [], assignments: [], redirects }, walk]);
  walk.enter(node.command, { ...place, stdin: readStdin(node.redirects, place.source, place.stdin) });
  checkEnds(node.redirects, place, walk);
  for (const redirect of node.redirects) walk.enter(redirect, within(place, id));
}

export function visitCoproc(node: Coproc, place: NodePlace, walk: SyntaxWalk): void {
  // Bash prints a substitution and parses it again. `coproc a` becomes `coproc COPROC a`, which runs `COPROC`.
  if (place.relation === 'substitution' && node.body.type === 'Command')
    noteOpaque(walk, { kind: 'uncovered', message: 'a coprocess in a substitution runs another program' }, [
      node,
      place,
    ]);
  walk.enterChildren(node, { ...ownJob(place, walk), stdin: { kind: 'pipe', from: undefined } });
}
