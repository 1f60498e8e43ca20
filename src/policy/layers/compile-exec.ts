import type { Answer, MatchedCommand } from '../origin.ts';
import { execIndex, execRuleClauses } from '../kinds/exec.ts';
import { knownCommand } from '../kinds/known-pattern.ts';
import type { CommandEntry, CommandQuery } from '../patterns/command-index.ts';
import { strictnessOf } from '../verdict.ts';
import { byDefault, listClauses } from './compile-lists.ts';
import type { Answerers } from './layer.ts';
import { answerByRule, answerIn, type LayerSource, type ListName, unmatched } from './source.ts';

/** Commands run by default, because the box contains them. A list of allowed commands refuses all others. */
export function compileExec(source: LayerSource): Answerers['exec'] {
  const list = (name: ListName) =>
    listClauses(source, name, (text) => ({ pattern: knownCommand(text) })).map((clause) => ({
      ...clause,
      value: about(clause.value, { pattern: clause.matcher.pattern }),
    }));
  const index = execIndex(
    [...list('commands.deny'), ...rulesOf(source), ...list('commands.ask'), ...list('commands.allow')],
    source.roots,
  );
  const isOpen = source.role === 'base' && source.lists['commands.allow'] === undefined;
  const otherwise = isOpen ? byDefault(source, 'commands', 'allow') : unmatched(source, 'commands.allow');
  return (query) => {
    const entry = index.first(query);
    const certain = entry?.value ?? otherwise;
    if (query.unknown === undefined || query.unknown.length === 0) return certain;
    return stricterOf(
      certain,
      doubt(source, { query, certain, entry: index.possible(query, entry?.order ?? Infinity) }),
    );
  };
}

type ExecClauses = ReturnType<typeof execRuleClauses<Answer>>;

function rulesOf(source: LayerSource): ExecClauses {
  return source.rules.exec.flatMap((atom) => {
    const { redirect_to: target, env: environment, decision } = atom.rule;
    const effect = decision === 'deny' || decision === 'ask' ? 'restricts' : 'allows';
    const instead = typeof target === 'string' ? [target, '{args}'] : target;
    return execRuleClauses(atom.rule, { value: answerByRule(source, atom), effect }).map((clause) => ({
      ...clause,
      value: about(clause.value, { pattern: clause.matcher.pattern, instead, environment }),
    }));
  });
}

function about(answer: Answer, command: MatchedCommand): Answer {
  return { ...answer, command, memo: {} };
}

interface Doubted {
  readonly query: CommandQuery;
  /** The decision on the known arguments alone. */
  readonly certain: Answer | undefined;
  readonly entry: CommandEntry<Answer> | undefined;
}

/** If the decision depends on an unknown argument, a person decides. */
function doubt(source: LayerSource, { query: { argv, unknown = [] }, certain, entry }: Doubted): Answer | undefined {
  if (entry === undefined || (entry.value.decision !== 'deny' && entry.value.decision !== 'ask')) return undefined;
  const through = unknown.map((index) => argv[index] ?? '').join(' ');
  return about(answerIn(source, entry.value, { decision: 'ask', code: 'unknown-word', reason: entry.value.reason }), {
    pattern: entry.pattern,
    through,
    certain,
  });
}

function stricterOf(a: Answer | undefined, b: Answer | undefined): Answer | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return strictnessOf(b.decision) > strictnessOf(a.decision) ? b : a;
}
