import { type AgentshRule, agentshRules } from './agentsh-rule.ts';
import type { ReadingPart } from './types.ts';

interface HostText {
  readonly text: string;
  readonly at: string;
  readonly kind: 'name' | 'network';
  readonly ports: readonly string[];
  /** Whether the rule covers less than this text. */
  readonly limited: boolean;
}

/** Imports host rules. The first matching rule decides. Without one, the host is refused, as here. */
export function agentshHostRules(value: unknown, at: string): readonly ReadingPart[] {
  const refused: RegExp[] = [];
  return agentshRules(value, at).flatMap((rule): readonly ReadingPart[] => {
    const parts = networkRule(rule).map(
      (part): ReadingPart =>
        'place' in part && part.place === 'network.hosts' && refused.some((each) => each.test(nameOf(part.text)))
          ? { at: part.from, why: 'an earlier rule refuses it, or asks', effect: 'stricter' }
          : part,
    );
    const about = rule.texts('domains');
    if (rule.decision !== 'allow' && rule.decision !== 'audit')
      refused.push(
        ...about.map(({ text }) => globExpression(text)),
        ...(about.length + rule.texts('cidrs').length === 0 ? [/^/u] : []),
      );
    return parts;
  });
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/u, '');
}

/**
 * Matches more than agentsh's globs do (`*` crosses dots): a permission that an earlier refusal may cover is dropped.
 */
function globExpression(glob: string): RegExp {
  const source = glob
    .toLowerCase()
    .replaceAll(/\{[^}]*(?:\}|$)|\[[^\]]*(?:\]|$)/gu, '*')
    .replaceAll(/[.+^$()|\\{}[\]]/gu, String.raw`\$&`)
    .replaceAll(/\*+/gu, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'u');
}

function networkRule(rule: AgentshRule): readonly ReadingPart[] {
  const ports = rule.texts('ports').map(({ text }) => text);
  const hosts = [
    ...rule.texts('domains').map((each) => ({ ...each, kind: 'name' as const })),
    ...rule.texts('cidrs').map((each) => ({ ...each, kind: 'network' as const })),
  ];
  const both = rule.texts('domains').length > 0 && rule.texts('cidrs').length > 0;
  const unknown = rule.others(['domains', 'ports', 'cidrs']);
  const unread: readonly ReadingPart[] = unknown.map(() => ({
    at: rule.at,
    why: 'a key is not read',
    effect: 'stricter',
  }));
  if (hosts.length === 0)
    return [
      ...unread,
      {
        at: rule.at,
        why:
          rule.decision === 'deny'
            ? 'hosts are closed unless they are named'
            : 'it names no host: nothing opens all of them',
        effect: 'stricter',
      },
    ];
  return [
    ...unread,
    ...hosts.flatMap((host) => hostParts(rule, { ...host, ports, limited: both || unknown.length > 0 })),
  ];
}

function hostParts({ decision }: AgentshRule, host: HostText): readonly ReadingPart[] {
  const { at } = host;
  const name = host.text.toLowerCase();
  if (decision === 'deny') return deniedHost(name, host);
  if (!isWhole(name, host)) {
    const subdomains = /^\*\.[\w.-]+$/u.test(name);
    return [
      ...(subdomains ? [{ place: 'rule.ask-to-connect', text: name, from: at } as const] : []),
      {
        at,
        why: subdomains
          ? 'here it is all names below, at any depth: they are asked about'
          : 'it has no exact equivalent: name each host',
        effect: 'stricter',
      },
    ];
  }
  if (decision === 'allow' || decision === 'audit')
    return withPorts(name, host.ports).map((text) => ({ place: 'network.hosts', text, from: at }));
  return [{ place: 'rule.ask-to-connect', text: name, from: at }];
}

/** A grant here covers `localhost` and private networks just as in agentsh. */
function isWhole(name: string, { kind, limited }: HostText): boolean {
  return !limited && (kind === 'network' || /^[\w-]+(?:\.[\w-]+)*$/u.test(name));
}

function deniedHost(name: string, { at, ports, kind }: HostText): readonly ReadingPart[] {
  const tail = name.replace(/^.*[*?[\]{}][^.]*/u, '');
  const wider = tail === name ? name : tail === '' ? undefined : `*${tail}`;
  if (wider === undefined) {
    const why = 'hosts are closed without a grant, and no later line opens hosts that it refuses';
    return [{ at, why, effect: 'stricter' }];
  }
  const denied = withPorts(wider, kind === 'name' && wider !== name ? [] : ports).map(
    (text): ReadingPart => ({ place: 'network.deny', text, from: at }),
  );
  return wider === name
    ? denied
    : [...denied, { at, why: `written as ${JSON.stringify(wider)}, which covers more`, effect: 'stricter' }];
}

function withPorts(host: string, ports: readonly string[]): readonly string[] {
  return ports.length === 0 ? [host] : ports.map((port) => `${host}:${port}`);
}
