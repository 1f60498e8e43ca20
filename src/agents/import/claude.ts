import { grantingGlob, restrictingGlob } from './globs.ts';
import { jsonSource } from './parse-source.ts';
import { valueEntries, importedTexts } from './read-value.ts';
import {
  type Item,
  type NotCarried,
  type PolicyList,
  type ImportReading,
  readingOf,
  type ReadingPart,
} from './types.ts';
import { commandParts, type ImportedDecision, prefixOf, withoutContested } from './words.ts';

/**
 * Reads settings of Claude Code: `permissions` and `sandbox`. Source:
 * https://docs.claude.com/en/docs/claude-code/settings, https://docs.claude.com/en/docs/claude-code/iam, and `sdk.d.ts`
 * of @anthropic-ai/claude-agent-sdk 0.3.329.
 */
export function readClaude(text: string): ImportReading {
  const parts = valueEntries(jsonSource(text), '').flatMap(({ key, value, at }): readonly ReadingPart[] => {
    if (key === 'permissions') return valueEntries(value, at).flatMap(permission);
    if (key === 'sandbox') return valueEntries(value, at).flatMap(sandboxSetting);
    return [{ at, why: notes.get(key) ?? 'a setting of Claude Code itself', effect: 'none' }];
  });
  return readingOf([...withoutContested(parts), unnamed]);
}

const unnamed: NotCarried = {
  at: 'permissions',
  why: 'calls without a rule: Claude Code asks; here they run, confined by the box',
  effect: 'none',
};

const notes: ReadonlyMap<string, string> = new Map([
  ['$schema', 'it means nothing to a box'],
  ['hooks', 'hooks run inside the box; they are not read here'],
  ['env', 'variables may hold secrets: declare secrets as credentials, and write the others into environment.set'],
  ['apiKeyHelper', 'write it as the source of a credential'],
]);

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly at: string;
}

function permission({ key, value, at }: Entry): readonly ReadingPart[] {
  if (key === 'allow' || key === 'ask' || key === 'deny')
    return importedTexts(value, at).flatMap(({ text, at: place }) => rule(key, text, place));
  if (key === 'additionalDirectories')
    return importedTexts(value, at).flatMap(({ text, at: place }) => granted('files.read', asRule(text), place));
  return [{ at, why: 'a setting of Claude Code itself', effect: 'none' }];
}

const readers = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);
const writers = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

function rule(wish: ImportedDecision, text: string, at: string): readonly ReadingPart[] {
  const { tool = '', argument: given } = /^(?<tool>[^()]*)(?:\((?<argument>[^]*)\))?$/u.exec(text.trim())?.groups ?? {};
  // As in .gitignore, blanks at the end do not count.
  const argument = given?.trimEnd();
  if (tool === 'Bash') return commandParts(wish, bashPrefix(argument), at);
  if (readers.has(tool)) return fileParts(wish, { access: 'read', argument }, at);
  if (writers.has(tool)) return fileParts(wish, { access: 'write', argument }, at);
  if (tool === 'WebFetch') return webParts(wish, argument, at);
  return [
    {
      at,
      why: `${JSON.stringify(text)} is about a tool of Claude Code, which no box controls`,
      effect: wish === 'allow' ? 'none' : 'looser',
    },
  ];
}

/** `npm run test:*` and `npm run test *` begin with these words. `*` alone matches everything. */
function bashPrefix(argument: string | undefined): ReturnType<typeof prefixOf> {
  const text = (argument ?? '*').trim();
  if (text === '*' || text === ':*') return { words: ['*'], form: 'exact' };
  return prefixOf(text.replace(/(?::\*| \*)$/u, ''));
}

interface FileRule {
  readonly access: 'read' | 'write';
  readonly argument: string | undefined;
}

const listFor = {
  allow: { read: 'files.read', write: 'files.write' },
  ask: { read: 'rule.ask-to-read', write: 'rule.ask-to-change' },
  deny: { read: 'files.deny', write: 'files.protect' },
} as const satisfies Readonly<Record<ImportedDecision, Readonly<Record<FileRule['access'], PolicyList>>>>;

function fileParts(wish: ImportedDecision, { access, argument }: FileRule, at: string): readonly ReadingPart[] {
  const place = listFor[wish][access];
  if (wish === 'allow')
    return argument === undefined || isEverywhere(argument)
      ? [{ at, why: 'the workspace is open anyway, and nothing opens everything', effect: 'stricter' }]
      : granted(place, argument, at);
  if (argument === undefined || isEverywhere(argument))
    return access === 'write'
      ? [{ place, text: '.', from: at }]
      : [{ at, why: 'a box that can read nothing runs nothing', effect: 'looser' }];
  return restricted(place, anchored(argument), at);
}

function isEverywhere(argument: string): boolean {
  return /^(?:\.\/|\/\/?|\*\*\/)?\*{1,2}$|^$/u.test(argument);
}

/**
 * Paths are written as in .gitignore: `//` is the root of the machine, and `/` the root of the project. A bare name
 * matches at any depth.
 */
function anchored(argument: string): string {
  if (argument.startsWith('/')) return argument.slice(1);
  const path = argument.replace(/^(?:\.\/)+/u, '');
  return /^[~!]/u.test(path) || path.replace(/\/(?:\*\*)?$/u, '').includes('/') ? path : `**/${path}`;
}

function restricted(place: PolicyList, path: string, at: string): readonly ReadingPart[] {
  const glob = restrictingGlob(path);
  return glob.kind === 'pattern' ? [{ place, text: glob.text, from: at }] : [{ at, why: glob.why, effect: 'looser' }];
}

function granted(place: PolicyList, argument: string, at: string): readonly (Item | NotCarried)[] {
  const path = argument.startsWith('/') ? argument.slice(1) : argument;
  const glob = grantingGlob(path);
  return glob.kind === 'pattern'
    ? [{ place, text: glob.text, from: at }]
    : [{ at, why: `${JSON.stringify(argument)}: ${glob.why}`, effect: 'stricter' }];
}

/** Returns an ordinary path as rules write it, where a single slash is the root of the project. */
function asRule(path: string): string {
  return path.startsWith('/') ? `/${path}` : path;
}

function webParts(wish: ImportedDecision, argument: string | undefined, at: string): readonly ReadingPart[] {
  const host = /^domain:(?<host>[\w.*-]+)$/u.exec(argument ?? '')?.groups?.['host'];
  if (wish === 'allow')
    return [
      {
        at,
        why: 'it lets a tool of Claude Code fetch, but not commands: to allow those, name the host in network.hosts',
        effect: 'stricter',
      },
    ];
  if (host === undefined)
    return [{ at, why: 'hosts are closed unless they are named, and it names none', effect: 'none' }];
  return [{ place: wish === 'deny' ? 'network.deny' : 'rule.ask-to-connect', text: host, from: at }];
}

function sandboxSetting({ key, value, at }: Entry): readonly ReadingPart[] {
  if (key === 'network' || key === 'filesystem')
    return valueEntries(value, at).flatMap((entry) => listSetting(key, entry));
  return [{ at, why: 'it configures the sandbox of Claude Code; Holdfast has its own', effect: 'none' }];
}

function listSetting(section: 'network' | 'filesystem', { key, value, at }: Entry): readonly ReadingPart[] {
  const place = sandboxLists[section][key];
  if (place === undefined)
    return [{ at, why: 'it configures the sandbox of Claude Code; Holdfast has its own', effect: 'none' }];
  return importedTexts(value, at).flatMap(({ text, at: from }): readonly ReadingPart[] => {
    if (section === 'network') return [{ place, text, from }];
    return place === 'files.read' || place === 'files.write'
      ? granted(place, asRule(text), from)
      : restricted(place, text.replace(/^(?:\.\/)+/u, ''), from);
  });
}

const sandboxLists: Readonly<Record<'network' | 'filesystem', Readonly<Record<string, PolicyList>>>> = {
  network: Object.assign(Object.create(null), {
    allowedDomains: 'network.hosts',
    deniedDomains: 'network.deny',
    allowUnixSockets: 'sockets.allow',
  }),
  filesystem: Object.assign(Object.create(null), {
    allowRead: 'files.read',
    allowWrite: 'files.write',
    denyRead: 'files.deny',
    denyWrite: 'files.protect',
  }),
};
