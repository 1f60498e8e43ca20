import { agentshRules, type AgentshRule } from './agentsh-rule.ts';
import type { ReadingPart } from './types.ts';

/** Commands: the first rule that matches the name and the arguments decides, and what none matches is refused. */
export function commandRules(value: unknown, at: string): readonly ReadingPart[] {
  const rules = agentshRules(value, at);
  const last = rules.findIndex(refusesAll);
  const unreached: readonly ReadingPart[] = last < 0 ? [] : rules.slice(last + 1).map((rule) => ({ at: rule.at, why: 'an earlier rule refuses every command', effect: 'none' }));
  const parts = [...(last < 0 ? rules : rules.slice(0, last + 1)).flatMap(commandRule), ...unreached];
  const everything = parts.some((part) => 'place' in part && part.place === 'commands.allow' && part.text === '*');
  const kept = everything ? parts.filter((part) => !('place' in part) || part.place !== 'commands.allow') : parts;
  const listed = parts.some((part) => 'place' in part && part.place === 'commands.allow');
  // Without any permission nothing may run, and an empty list cannot be said: everything is refused then.
  if (listed || parts.some((part) => 'place' in part && part.text === '*')) return kept;
  const asked = parts.some((part) => 'place' in part && part.place === 'commands.ask');
  return [...kept, { place: asked ? 'commands.ask' : 'commands.deny', text: '*', from: `${at}, no rule allows a command` }];
}

const known = ['commands', 'args_patterns', 'env_allow', 'env_deny', 'env_max_bytes', 'env_max_keys', 'env_block_iteration', 'redirect_to', 'context'];

function refusesAll(rule: AgentshRule): boolean {
  const names = rule.texts('commands');
  return rule.decision === 'deny' && !isConditional(rule) && (names.length === 0 || names.some(({ text }) => text.trim() === '*'));
}

/** Whether it is about some arguments only. */
function isConditional(rule: AgentshRule): boolean {
  return rule.texts('args_patterns').length > 0 || rule.others(['commands', 'args_patterns', 'env_allow', 'env_deny', 'redirect_to']).length > 0;
}

function commandRule(rule: AgentshRule): readonly ReadingPart[] {
  const conditional = isConditional(rule);
  const names = rule.texts('commands');
  const unread: readonly ReadingPart[] = rule.others(known).map((key) => ({ at: rule.at, why: `${/^\w{1,40}$/u.test(key) ? key : 'a key'} is not read`, effect: 'stricter' }));
  // A rule without names is about every command.
  const texts = names.length > 0 ? names : [{ text: '*', at: rule.at }];
  const environment: readonly ReadingPart[] = rule.others(known.filter((key) => !key.startsWith('env_'))).filter((key) => known.includes(key)).map((key) => ({ at: rule.at, why: `${key}: programs of a box have one environment; write [environment]`, effect: 'looser' }));
  return [...unread, ...environment, ...texts.flatMap(({ text, at }) => commandPart(rule, { ...programOf(text), conditional }, at))];
}

interface Named {
  readonly program: string;
  /** `wider`: the source names fewer programs. */
  readonly extent: 'same' | 'wider';
  /** True where the rule is about some arguments only. */
  readonly conditional: boolean;
}

function commandPart({ decision }: AgentshRule, { program, extent, conditional }: Named, from: string): readonly ReadingPart[] {
  const asked: ReadingPart = { place: 'commands.ask', text: program, from };
  const told = (why: string): ReadingPart => ({ at: from, why, effect: 'stricter' });
  switch (decision) {
    case 'allow':
    case 'audit':
      if (extent === 'wider') return [asked, told(`it cannot be said exactly: every ${JSON.stringify(program)} is asked about`)];
      return conditional ? [asked, told(`it is allowed with some arguments only: every ${JSON.stringify(program)} is asked about`)] : [{ place: 'commands.allow', text: program, from }];
    case 'deny':
      // The last rule of a list is often this one, and means what a list of all that may run means.
      if (program === '*') return conditional || extent === 'wider' ? [asked, told('it is about some commands: every command is asked about')] : [];
      return conditional ? [asked, told(`it is refused with some arguments: every ${JSON.stringify(program)} is asked about`)] : [{ place: 'commands.deny', text: program, from }];
    case 'approve':
      return [asked];
    case 'redirect':
    case 'soft_delete':
      return [asked, told(`${decision} has no exact like: it is asked about`)];
  }
}

/** Names are compared without regard to case, and a bare one is any path's last component; with wildcards, no less is meant. */
function programOf(text: string): Pick<Named, 'program' | 'extent'> {
  const word = text.trim().toLowerCase();
  if (/^[\w.+/-]+$/u.test(word)) return { program: word, extent: 'same' };
  const beginning = /^[\w.+-]*/u.exec(word)?.[0] ?? '';
  return { program: `${beginning}*`, extent: word === `${beginning}*` ? 'same' : 'wider' };
}
