import type { Item, Place } from './types.ts';

export interface Rendered {
  readonly text: string;
  /** By the line that it stands on, 1-based. */
  readonly items: ReadonlyMap<number, Item>;
}

/** Items as a policy: one line each, with the key of the source behind it. Pure. */
export function render(items: readonly Item[], title: string): Rendered {
  const lines = [`# ${title}`, 'version = 1'];
  const placed = new Map<number, Item>();
  for (const [table, keys] of Object.entries(tables)) {
    const lists = Object.entries(keys).flatMap(([key, place]) =>
      listOf(
        key,
        items.filter((item) => item.place === place),
      ),
    );
    if (lists.length === 0) continue;
    lines.push('', `[${table}]`);
    append(lists, lines, placed);
  }
  for (const [place, head] of Object.entries(rules)) {
    const list = listOf(
      head.key,
      items.filter((item) => item.place === place),
    );
    if (list.length === 0) continue;
    lines.push('', `[[${head.table}]]`, ...head.lines);
    append(list, lines, placed);
  }
  return { text: `${lines.join('\n')}\n`, items: placed };
}

const tables: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  files: { read: 'files.read', write: 'files.write', deny: 'files.deny', protect: 'files.protect' },
  commands: { allow: 'commands.allow', ask: 'commands.ask', deny: 'commands.deny' },
  network: { hosts: 'network.hosts', deny: 'network.deny' },
  sockets: { allow: 'sockets.allow', deny: 'sockets.deny' },
  environment: { pass: 'environment.pass', deny: 'environment.deny' },
};

interface RuleHead {
  readonly table: 'file' | 'exec' | 'connect';
  readonly key: string;
  readonly lines: readonly string[];
}

const changes = 'operations = ["write", "create", "delete"]';
const rules: Readonly<Record<string, RuleHead>> = {
  'rule.refuse-deleting': {
    table: 'file',
    key: 'paths',
    lines: ['name = "refuse-deleting"', 'decision = "deny"', 'operations = ["delete"]'],
  },
  'rule.ask-to-read': { table: 'file', key: 'paths', lines: ['name = "ask-to-read"', 'decision = "ask"'] },
  'rule.ask-to-change': { table: 'file', key: 'paths', lines: ['name = "ask-to-change"', 'decision = "ask"', changes] },
  'rule.keep-deleted': {
    table: 'file',
    key: 'paths',
    lines: ['name = "keep-deleted"', 'decision = "stage"', 'operations = ["delete"]'],
  },
  'rule.allow-programs': { table: 'exec', key: 'commands', lines: ['name = "allow-programs"', 'decision = "allow"'] },
  'rule.ask-to-connect': { table: 'connect', key: 'hosts', lines: ['name = "ask-to-connect"', 'decision = "ask"'] },
};

type ListLine = string | Item;

function listOf(key: string, items: readonly Item[]): readonly ListLine[] {
  const texts = new Set<string>();
  const once = items.filter(({ text }) => !texts.has(text) && texts.add(text));
  return once.length === 0 ? [] : [`${key} = [`, ...once, ']'];
}

function append(list: readonly ListLine[], lines: string[], placed: Map<number, Item>): void {
  for (const line of list) {
    lines.push(typeof line === 'string' ? line : `  ${tomlString(line.text)}, # ${line.from}`);
    if (typeof line !== 'string') placed.set(lines.length, line);
  }
}

/** JSON's escapes are those of TOML's basic strings, but for DEL, which TOML wants escaped. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
