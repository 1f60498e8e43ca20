import { agentshRules, type AgentshRule, isPermission, unreadKeys, withoutNames } from './agentsh-rule.ts';
import { grantingGlob, restrictingGlob } from './globs.ts';
import type { PolicyList, ReadingPart } from './types.ts';

type Access = 'read' | 'change' | 'delete';

/** Maps agentsh's operations to accesses. */
const accesses: Readonly<Record<string, readonly Access[]>> = {
  ...Object.fromEntries(
    ['read', 'open', 'stat', 'list', 'readlink', 'access'].map((operation) => [operation, ['read'] as const]),
  ),
  ...Object.fromEntries(
    ['write', 'create', 'mkdir', 'rename', 'link', 'symlink', 'chmod', 'chown', 'mknod'].map((operation) => [
      operation,
      ['change'] as const,
    ]),
  ),
  ...Object.fromEntries(['delete', 'rmdir'].map((operation) => [operation, ['delete'] as const])),
  '*': ['read', 'change', 'delete'],
};

/** Imports file rules. The first matching rule decides. Without one, reading is allowed and writing is refused. */
export function agentshFileRules(value: unknown, at: string): readonly ReadingPart[] {
  const rules = agentshRules(value, at);
  const shut = new Set<Access>();
  const parts = rules.flatMap((rule) => {
    const own = fileRule(rule, shut);
    for (const access of isAboutAll(rule) ? accessOf(rule) : []) shut.add(access);
    return own;
  });
  return [...parts, ...workspaceParts(rules, at)];
}

/**
 * Whether a rule refuses or asks about the whole machine. No list of Holdfast can express that, and no later rule
 * permits anything.
 */
function isAboutAll(rule: AgentshRule): boolean {
  const globs = rule.texts('paths').map(({ text }) => restrictingGlob(ourPath(text)));
  return !isPermission(rule) && globs.some((glob) => glob.kind === 'pattern' && glob.text === '/');
}

const read = ['paths', 'operations', 'redirect_to', 'preserve_tree'];

/** `shut`: accesses that earlier rules refuse everywhere. */
function fileRule(rule: AgentshRule, shut: ReadonlySet<Access>): readonly ReadingPart[] {
  // A write grant here also covers reading.
  const late = isPermission(rule) && (shut.has('read') || accessOf(rule).some((access) => shut.has(access)));
  if (late)
    return rule
      .texts('paths')
      .map(({ at }) => ({ at, why: 'an earlier rule is about everything', effect: 'stricter' }));
  const access = accessOf(rule);
  const unread = [...unreadKeys(rule, read), ...withoutNames(rule, rule.texts('paths'))];
  // An unknown key may limit who or when the permission covers.
  if (unread.length > 0 && isPermission(rule)) return unread;
  return [
    ...unread,
    ...rule.texts('paths').flatMap(({ text, at }) => pathParts(rule, { path: ourPath(text), access }, at)),
  ];
}

function accessOf(rule: AgentshRule): readonly Access[] {
  const operations = rule.texts('operations').map(({ text }) => text);
  // An unknown operation, or none at all, may mean any.
  return operations.length === 0
    ? (accesses['*'] ?? [])
    : [
        ...new Set(
          operations.flatMap((operation) =>
            Object.hasOwn(accesses, operation) ? (accesses[operation] ?? []) : (accesses['*'] ?? []),
          ),
        ),
      ];
}

/** `${PROJECT_ROOT}` is the workspace, `${HOME}` the home directory. */
function ourPath(text: string): string {
  return text
    .replace(/^\$\{(?:PROJECT_ROOT|GIT_ROOT)\}\/?/u, './')
    .replace(/^\/workspace(?:\/|$)/u, './')
    .replace(/^\$\{HOME\}(?=\/|$)/u, '~');
}

interface Reached {
  readonly path: string;
  readonly access: readonly Access[];
}

function pathParts({ decision }: AgentshRule, { path, access }: Reached, from: string): readonly ReadingPart[] {
  switch (decision) {
    case 'allow':
    case 'audit':
      return granted(path, access, from);
    case 'deny':
      return restricted(
        path,
        access.includes('read')
          ? ['files.deny']
          : access.includes('change')
            ? ['files.protect']
            : ['rule.refuse-deleting'],
        from,
      );
    case 'approve':
    case 'redirect':
      return restricted(path, access.includes('read') ? ['rule.ask-to-read'] : ['rule.ask-to-change'], from);
    case 'soft_delete':
      return restricted(path, ['rule.keep-deleted'], from);
  }
}

/** The workspace is open already, with everything in it that a permission could name. */
function granted(path: string, access: readonly Access[], from: string): readonly ReadingPart[] {
  const glob = grantingGlob(path);
  const why =
    glob.kind === 'none'
      ? glob.why
      : isWorkspace(glob.text)
        ? 'a permission opens no part of the workspace beyond the policy'
        : glob.text === '/'
          ? 'nothing opens the whole machine'
          : undefined;
  if (why !== undefined || glob.kind === 'none') return [{ at: from, why: why ?? '', effect: 'stricter' }];
  // Deleting and writing are one permission here.
  const changes = access.includes('change') && access.includes('delete');
  return [{ place: changes ? 'files.write' : 'files.read', text: glob.text, from }];
}

function isWorkspace(text: string): boolean {
  return !/^[/~]/u.test(text);
}

function restricted(path: string, places: readonly PolicyList[], from: string): readonly ReadingPart[] {
  const glob = restrictingGlob(path);
  if (glob.kind === 'none') return [{ at: from, why: glob.why, effect: 'looser' }];
  if (glob.text === '/')
    return [
      {
        at: from,
        why: 'files are closed without a grant; this line does not close the system and the workspace',
        effect: 'stricter',
      },
    ];
  return places.map((place) => ({ place, text: glob.text, from }));
}

/** Here the workspace is writable unless a rule says otherwise. In agentsh, it is read-only unless a rule opens it. */
function workspaceParts(rules: readonly AgentshRule[], at: string): readonly ReadingPart[] {
  const first = rules.findIndex(isAboutAll);
  const reached = first < 0 ? rules : rules.slice(0, first);
  const opened = new Set(
    reached.flatMap((rule) =>
      opens(rule) && rule.texts('paths').some(({ text }) => coversWorkspace(text)) ? accessOf(rule) : [],
    ),
  );
  const isUnread =
    first >= 0 && rules.slice(first, first + 1).some((rule) => accessOf(rule).includes('read')) && !opened.has('read');
  const unread: readonly ReadingPart[] = isUnread
    ? [{ at: `${at}[${first}]`, why: 'a box that cannot read the workspace runs nothing', effect: 'looser' }]
    : [];
  return [...unread, ...unwritten(opened, at)];
}

function opens(rule: AgentshRule): boolean {
  return rule.decision !== 'deny' && rule.others(read).length === 0;
}

function unwritten(opened: ReadonlySet<Access>, at: string): readonly ReadingPart[] {
  if (!opened.has('change'))
    return [{ place: 'files.protect', text: '.', from: `${at}, no rule opens the workspace for writing` }];
  return opened.has('delete')
    ? []
    : [{ place: 'rule.refuse-deleting', text: '.', from: `${at}, no rule lets files of the workspace be deleted` }];
}

function coversWorkspace(text: string): boolean {
  const path = ourPath(text);
  return /^(?:\.\/|\/)?\*\*$|^\.\/?$/u.test(path);
}
