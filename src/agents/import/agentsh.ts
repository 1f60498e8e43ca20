import { agentshFileRules } from './agentsh-files.ts';
import { agentshHostRules } from './agentsh-hosts.ts';
import { type AgentshRule, agentshRules, isPermission, unreadKeys, withoutNames } from './agentsh-rule.ts';
import { yamlSource } from './parse-source.ts';
import { valueEntries, importedTexts } from './read-value.ts';
import { type ImportReading, readingOf, type ReadingPart } from './types.ts';

/**
 * Reads policies of agentsh (`configs/policies/*.yaml`). The first matching rule decides. Without one, commands, hosts,
 * sockets and writing are refused, and reading is allowed. Source: `internal/policy/model.go` and `engine.go` of
 * canyonroad/agentsh at 9f114d5d.
 */
export function readAgentsh(text: string): ImportReading {
  const entries = valueEntries(yamlSource(text), '');
  const absent = ['file_rules', 'command_rules'].filter((key) => entries.every((entry) => entry.key !== key));
  const missing = absent.map((key) => ({ key, value: [], at: key }));
  return readingOf(
    [...entries, ...missing].flatMap(({ key, value, at }) =>
      Object.hasOwn(sections, key) ? (sections[key]?.(value, at) ?? []) : unread(key, at),
    ),
  );
}

const known = [
  'commands',
  'args_patterns',
  'env_allow',
  'env_deny',
  'env_max_bytes',
  'env_max_keys',
  'env_block_iteration',
  'redirect_to',
  'context',
];

const sections: Readonly<Record<string, (value: unknown, at: string) => readonly ReadingPart[]>> = {
  file_rules: agentshFileRules,
  command_rules: commandRules,
  network_rules: agentshHostRules,
  unix_socket_rules: socketRules,
  env_policy: environmentRules,
};

const descriptions = new Set(['version', 'name', 'description', 'metadata']);

const notes = new Map([
  ['signal_rules', 'signals never leave a box; write [[signal]] for those within'],
  ['registry_rules', 'write [[registry_rule]]'],
  ['resource_limits', 'limits are on by default; write [limits] for others'],
  ['http_services', 'write [[credentials]] and [[http]]'],
]);

/** Sockets are closed unless a grant names them, so a permission that an earlier refusal covers must not become one. */
function socketRules(value: unknown, at: string): readonly ReadingPart[] {
  const rules = agentshRules(value, at);
  const held = rules
    .filter((rule) => !isPermission(rule))
    .flatMap((rule) => rule.texts('paths').map(({ text }) => text));
  return rules.flatMap((rule): readonly ReadingPart[] => {
    const unread = [
      ...unreadKeys(rule, ['paths', 'operations']),
      ...withoutNames(rule, rule.texts('paths')),
      ...otherOperations(rule),
    ];
    const isGrant = isPermission(rule) && unread.length === 0;
    return [
      ...unread,
      ...rule.texts('paths').map(({ text, at: from }): ReadingPart => {
        if (rule.decision === 'deny') return { place: 'sockets.deny', text, from };
        const isHeld = held.some((path) => path === text || /[*?[{$]/u.test(path));
        return isGrant && !isHeld && /^[/@][\w/.@-]+$/u.test(text)
          ? { place: 'sockets.allow', text, from }
          : {
              at: from,
              why: 'only whole paths can be opened, and nothing past a refusal with wildcards: name it in sockets.allow',
              effect: 'stricter',
            };
      }),
    ];
  });
}

/** Here a socket has no operations but connecting. */
function otherOperations(rule: AgentshRule): readonly ReadingPart[] {
  const operations = rule.texts('operations').map(({ text }) => text);
  if (operations.length === 0 || operations.some((operation) => operation === '*' || operation === 'connect'))
    return [];
  return [
    {
      at: rule.at,
      why: 'it is not about connecting, and a line about a socket covers only that',
      effect: 'stricter',
    },
  ];
}

function environmentRules(value: unknown, at: string): readonly ReadingPart[] {
  return valueEntries(value, at).flatMap(({ key, value: each, at: from }): readonly ReadingPart[] => {
    if (key === 'allow')
      return importedTexts(each, from).map(({ text, at: place }) => ({ place: 'environment.pass', text, from: place }));
    if (key === 'deny')
      return importedTexts(each, from).map(({ text, at: place }) => ({ place: 'environment.deny', text, from: place }));
    return [{ at: from, why: 'has no equivalent here', effect: 'looser' }];
  });
}

/**
 * Imports command rules. The first rule that matches the name and the arguments decides. Without one, the command is
 * refused.
 */
function commandRules(value: unknown, at: string): readonly ReadingPart[] {
  const rules = agentshRules(value, at);
  const last = rules.findIndex(refusesAll);
  const unreached: readonly ReadingPart[] =
    last < 0
      ? []
      : rules
          .slice(last + 1)
          .map((rule) => ({ at: rule.at, why: 'an earlier rule refuses every command', effect: 'none' }));
  const parts = [...(last < 0 ? rules : rules.slice(0, last + 1)).flatMap(commandRule), ...unreached];
  const everything = parts.some((part) => 'place' in part && part.place === 'commands.allow' && part.text === '*');
  const kept = everything ? parts.filter((part) => !('place' in part) || part.place !== 'commands.allow') : parts;
  const listed = parts.some((part) => 'place' in part && part.place === 'commands.allow');
  // Without any permission nothing may run. An empty list cannot express that, so everything is refused instead.
  if (listed || parts.some((part) => 'place' in part && part.text === '*')) return kept;
  const asked = parts.some((part) => 'place' in part && part.place === 'commands.ask');
  return [
    ...kept,
    { place: asked ? 'commands.ask' : 'commands.deny', text: '*', from: `${at}, no rule allows a command` },
  ];
}

function refusesAll(rule: AgentshRule): boolean {
  const names = rule.texts('commands');
  return (
    rule.decision === 'deny' &&
    !isConditional(rule) &&
    (names.length === 0 || names.some(({ text }) => text.trim() === '*'))
  );
}

/** Whether a rule covers only some arguments. */
function isConditional(rule: AgentshRule): boolean {
  return (
    rule.texts('args_patterns').length > 0 ||
    rule.others(['commands', 'args_patterns', 'env_allow', 'env_deny', 'redirect_to']).length > 0
  );
}

function commandRule(rule: AgentshRule): readonly ReadingPart[] {
  const conditional = isConditional(rule);
  const names = rule.texts('commands');
  const unread: readonly ReadingPart[] = rule
    .others(known)
    .map((key) => ({ at: rule.at, why: `${/^\w{1,40}$/u.test(key) ? key : 'a key'} is not read`, effect: 'stricter' }));
  // A rule without names covers every command.
  const texts = names.length > 0 ? names : [{ text: '*', at: rule.at }];
  const environment: readonly ReadingPart[] = rule
    .others(known.filter((key) => !key.startsWith('env_')))
    .filter((key) => known.includes(key))
    .map((key) => ({
      at: rule.at,
      why: `${key}: programs of a box have one environment; write [environment]`,
      effect: 'looser',
    }));
  return [
    ...unread,
    ...environment,
    ...texts.flatMap(({ text, at }) => commandPart(rule, { ...programOf(text), conditional }, at)),
  ];
}

interface Named {
  readonly program: string;
  /** `wider`: the source names fewer programs. */
  readonly extent: 'same' | 'wider';
  /** Whether the rule covers only some arguments. */
  readonly conditional: boolean;
}

function commandPart(
  { decision }: AgentshRule,
  { program, extent, conditional }: Named,
  from: string,
): readonly ReadingPart[] {
  const asked: ReadingPart = { place: 'commands.ask', text: program, from };
  const told = (why: string): ReadingPart => ({ at: from, why, effect: 'stricter' });
  switch (decision) {
    case 'allow':
    case 'audit':
      if (extent === 'wider')
        return [asked, told(`it has no exact equivalent: every ${JSON.stringify(program)} is asked about`)];
      return conditional
        ? [asked, told(`it is allowed with some arguments only: every ${JSON.stringify(program)} is asked about`)]
        : [{ place: 'commands.allow', text: program, from }];
    case 'deny':
      // This is often the last rule of a list. It means the same as an allow-list of programs.
      if (program === '*')
        return conditional || extent === 'wider'
          ? [asked, told('it is about some commands: every command is asked about')]
          : [];
      return conditional
        ? [asked, told(`it is refused with some arguments: every ${JSON.stringify(program)} is asked about`)]
        : [{ place: 'commands.deny', text: program, from }];
    case 'approve':
      return [asked];
    case 'redirect':
    case 'soft_delete':
      return [asked, told(`${decision} has no exact equivalent: it is asked about`)];
  }
}

/**
 * agentsh compares names without case, and a bare name is any path's last component. A pattern with wildcards covers at
 * least as much.
 */
function programOf(text: string): Pick<Named, 'program' | 'extent'> {
  const word = text.trim().toLowerCase();
  if (/^[\w.+/-]+$/u.test(word)) return { program: word, extent: 'same' };
  const beginning = /^[\w.+-]*/u.exec(word)?.[0] ?? '';
  return { program: `${beginning}*`, extent: word === `${beginning}*` ? 'same' : 'wider' };
}

function unread(key: string, at: string): readonly ReadingPart[] {
  if (descriptions.has(key)) return [];
  return [{ at, why: notes.get(key) ?? 'this part of a policy is not imported', effect: 'looser' }];
}
