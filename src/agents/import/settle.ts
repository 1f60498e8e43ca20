import { isHoldfastError } from '../../errors/index.ts';
import { buildPolicy } from '../../place/build-policy.ts';
import { refusalInstead } from '../../policy/check-files.ts';
import type { Problem } from '../../policy/document/problem.ts';
import type { Item, NotCarried, PolicyList, ImportReading } from './types.ts';

/** Directories that the policy is for. */
export interface ImportPlaces {
  /** The home directory, as an absolute path. */
  readonly home: string;
  /** The workspace, as an absolute path. */
  readonly workspace: string;
}

export interface SettledImport {
  readonly policy: string;
  readonly notCarried: readonly NotCarried[];
}

interface SettleOptions {
  readonly title: string;
  readonly places: ImportPlaces;
}

/**
 * Turns a reading into a policy that Holdfast accepts from a user. A line that it would refuse becomes the next
 * stricter one, or is taken out and reported. A policy with one wrong line would start no box at all.
 */
export function settleImport(reading: ImportReading, { title, places }: SettleOptions): SettledImport {
  const told = [...reading.notCarried];
  const lists = reading.items.some(({ place }) => place === 'commands.allow');
  let items = reading.items.filter((item) => isWritable(item) || (told.push(hiddenText(item)), false));
  for (;;) {
    const rendered = render(items, title);
    const broken = new Map<Item, Problem>();
    const problems = problemsOf(rendered.text, places);
    for (const problem of problems) for (const item of itemsAt(problem.line, rendered)) broken.set(item, problem);
    if (problems.length === 0) return { policy: rendered.text, notCarried: told };
    if (broken.size === 0) throw new Error(`an import made an invalid policy: ${problems[0]?.message ?? ''}`);
    const mended = items.flatMap((item) => {
      const problem = [...broken].find(([each]) => each.place === item.place && each.text === item.text)?.[1];
      return problem === undefined ? [item] : mend(item, problem, told);
    });
    items =
      lists && !mended.some(({ place }) => place === 'commands.allow')
        ? [...mended.filter((item) => item !== everyCommand), everyCommand]
        : mended;
  }
}

/** Returns the items of a problem: the entry on its line, or all entries of the rule that begins there. */
function itemsAt(line: number, { text, items }: Rendered): readonly Item[] {
  const own = items.get(line);
  if (own !== undefined) return [own];
  const next = text.split('\n').findIndex((each, index) => index >= line && each.startsWith('['));
  return [...items].filter(([at]) => at > line && (next < 0 || at <= next)).map(([, item]) => item);
}

/**
 * Asks about every command, if no entry of an allow-list is left. An allow-list without entries would let everything
 * run.
 */
const everyCommand: Item = { place: 'commands.ask', text: '*', from: 'no entry of the allow-list is left' };

/** A policy may hold no hidden characters, and none that UTF-8 cannot encode. */
function isWritable({ text }: Item): boolean {
  return text !== '' && text.isWellFormed() && !/\p{C}|\p{Zl}|\p{Zp}/u.test(text);
}

function hiddenText({ place, from }: Item): NotCarried {
  return {
    at: from,
    why: 'it is empty, or has hidden characters',
    effect: restricts(place) ? 'looser' : 'stricter',
  };
}

function mend(item: Item, { message, remedy }: Problem, told: NotCarried[]): readonly Item[] {
  if (remedy.startsWith('take it out of') || message.includes('has no effect') || message.includes('can never match')) {
    told.push({ at: item.from, why: message, effect: 'none' });
    return [];
  }
  const wider = isRefusedPath(item.place) ? refusalInstead(item.text) : item.text;
  if (wider !== item.text && wider.startsWith('**/')) {
    told.push({
      at: item.from,
      why: `written as ${JSON.stringify(wider)}, which a kernel can enforce`,
      effect: 'stricter',
    });
    return [{ ...item, text: wider }];
  }
  told.push({ at: item.from, why: `${message}; ${remedy}`, effect: restricts(item.place) ? 'looser' : 'stricter' });
  return [];
}

function isRefusedPath(place: PolicyList): boolean {
  return place === 'files.deny' || place === 'files.protect';
}

const grants: ReadonlySet<PolicyList> = new Set<PolicyList>([
  'files.read',
  'files.write',
  'commands.allow',
  'network.hosts',
  'sockets.allow',
  'environment.pass',
  'rule.allow-programs',
  'rule.ask-to-connect',
]);

/** `commands.allow` is an allow-list: without one of its entries, fewer programs may run. */
function restricts(place: PolicyList): boolean {
  return !grants.has(place);
}

/** Returns the same problems as opening a box with this user policy. */
function problemsOf(text: string, { home, workspace }: ImportPlaces): readonly Problem[] {
  const file = 'imported policy';
  try {
    buildPolicy({
      home,
      workspace: { root: workspace, gitDirectories: [], cwd: workspace },
      visible: [],
      userFile: file,
      sources: [{ kind: 'user', file, text }],
      grants: {},
      ownDirectories: [],
    });
    return [];
  } catch (error) {
    if (!isHoldfastError(error) || !error.code.startsWith('HF_POLICY')) throw error;
    return (error.details['problems'] as readonly Problem[] | undefined) ?? [];
  }
}

interface Rendered {
  readonly text: string;
  /** Items by their 1-based line. */
  readonly items: ReadonlyMap<number, Item>;
}

/** Renders items as a policy: one line each, followed by the source's key in a comment. Pure. */
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

const tables: Readonly<Record<string, Readonly<Record<string, PolicyList>>>> = {
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

/** JSON's escapes are those of TOML's basic strings, except for DEL, which TOML wants escaped. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
