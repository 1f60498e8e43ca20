import { commandRules } from './agentsh-commands.ts';
import { fileRules } from './agentsh-files.ts';
import { networkRules } from './agentsh-network.ts';
import { agentshRules, type AgentshRule, isPermission, unreadKeys, withoutNames } from './agentsh-rule.ts';
import { parseYaml } from './parse-source.ts';
import { entriesOf, textsOf } from './read-value.ts';
import { type Reading, readingOf, type ReadingPart } from './types.ts';

/**
 * Policies of agentsh (`configs/policies/*.yaml`). Rules are first-match; commands, hosts, sockets and writing are refused when
 * no rule matches, and reading is allowed.
 * Source: `internal/policy/model.go` and `engine.go` of canyonroad/agentsh at 9f114d5d.
 */
export function readAgentsh(text: string): Reading {
  const entries = entriesOf(parseYaml(text), '');
  const missing = ['file_rules', 'command_rules'].filter((key) => entries.every((entry) => entry.key !== key)).map((key) => ({ key, value: [], at: key }));
  return readingOf([...entries, ...missing].flatMap(({ key, value, at }) => (Object.hasOwn(sections, key) ? (sections[key]?.(value, at) ?? []) : unread(key, at))));
}

const sections: Readonly<Record<string, (value: unknown, at: string) => readonly ReadingPart[]>> = {
  file_rules: fileRules,
  command_rules: commandRules,
  network_rules: networkRules,
  unix_socket_rules: socketRules,
  env_policy: environmentRules,
};

const descriptions = new Set(['version', 'name', 'description', 'metadata']);

function unread(key: string, at: string): readonly ReadingPart[] {
  if (descriptions.has(key)) return [];
  return [{ at, why: notes.get(key) ?? 'no part of a policy that is imported', effect: 'looser' }];
}

const notes = new Map([
  ['signal_rules', 'signals never leave a box; write [[signal]] for those within'],
  ['registry_rules', 'write [[registry_rule]]'],
  ['resource_limits', 'limits are on by default; write [limits] for others'],
  ['http_services', 'write [[credentials]] and [[http]]'],
]);

/** Sockets are closed unless they are named, so a later permission that an earlier refusal covers must not be one. */
function socketRules(value: unknown, at: string): readonly ReadingPart[] {
  const rules = agentshRules(value, at);
  const held = rules.filter((rule) => !isPermission(rule)).flatMap((rule) => rule.texts('paths').map(({ text }) => text));
  return rules.flatMap((rule): readonly ReadingPart[] => {
    const unread = [...unreadKeys(rule, ['paths', 'operations']), ...withoutNames(rule, rule.texts('paths')), ...otherOperations(rule)];
    const isGrant = isPermission(rule) && unread.length === 0;
    return [...unread, ...rule.texts('paths').map(({ text, at: from }): ReadingPart => {
      if (rule.decision === 'deny') return { place: 'sockets.deny', text, from };
      const isHeld = held.some((path) => path === text || /[*?[{$]/u.test(path));
      return isGrant && !isHeld && /^[/@][\w/.@-]+$/u.test(text) ? { place: 'sockets.allow', text, from } : { at: from, why: 'only whole paths can be opened, and nothing past a refusal with wildcards: name it in sockets.allow', effect: 'stricter' };
    })];
  });
}

/** Here a socket is connected to or not. */
function otherOperations(rule: AgentshRule): readonly ReadingPart[] {
  const operations = rule.texts('operations').map(({ text }) => text);
  if (operations.length === 0 || operations.some((operation) => operation === '*' || operation === 'connect')) return [];
  return [{ at: rule.at, why: 'it is not about connecting, which is all that a line about a socket opens or closes', effect: 'stricter' }];
}

function environmentRules(value: unknown, at: string): readonly ReadingPart[] {
  return entriesOf(value, at).flatMap(({ key, value: each, at: from }): readonly ReadingPart[] => {
    if (key === 'allow') return textsOf(each, from).map(({ text, at: place }) => ({ place: 'environment.pass', text, from: place }));
    if (key === 'deny') return textsOf(each, from).map(({ text, at: place }) => ({ place: 'environment.deny', text, from: place }));
    return [{ at: from, why: 'has no like here', effect: 'looser' }];
  });
}
