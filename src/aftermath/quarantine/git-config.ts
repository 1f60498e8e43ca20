import { parseGitConfig, type GitSetting, type ParsedGitConfig } from '../../git-config/parse.ts';

/** Keys that a fresh `git init`, `clone`, `worktree add` or `submodule update` writes and that cannot run anything. */
const harmlessKeys: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/u,
  /^branch\..*\.(?:merge|rebase)$/u,
  /^remote\..*\.(?:fetch|tagopt)$/u,
  /^submodule\..*\.(?:active|branch)$/u,
  /^(?:submodule\.active|user\.name|user\.email|init\.defaultbranch)$/u,
  /^extensions\.(?:objectformat|worktreeconfig|refstorage)$/u,
];

/**
 * `ext::` and other remote helpers run programs; these forms do not. A host or user that begins with `-` is an option
 * of ssh.
 */
const harmlessUrl = /^(?:(?:https?|ssh|git):\/\/\w|file:\/\/\/|\/|\.{1,2}\/|\w[\w.-]*@\w[\w.-]*:(?!:))[^\n]*$/u;
const urlKey = /^(?:remote|submodule)\..*\.(?:url|pushurl)$/u;
/** `branch.NAME.remote` may be a URL instead of a name. */
const remoteKey = /^branch\..*\.remote$/u;
const remoteName = /^(?:\.|\w[\w.-]*(?:\/[\w.-]+)*)$/u;
/** Also bounds the time of the patterns on texts of a box. */
const longestLine = 4096;
const relativePath = /^(?:\.\.\/)*[\w.][\w./ -]*$/u;

/**
 * Returns the first setting that could run or redirect something, as `section.key`, or undefined. `isOwnPlace` says
 * whether the box may write a work tree, relative to the file, anyway.
 */
export function dangerousSetting(text: string, isOwnPlace: (workTree: string) => boolean): string | undefined {
  let section = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (line.length > longestLine) return `something in ${line.length} characters`;
    const header = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]$/u.exec(line);
    if (header !== null) {
      section =
        header[2] === undefined ? (header[1] ?? '').toLowerCase() : `${(header[1] ?? '').toLowerCase()}.${header[2]}`;
      continue;
    }
    const setting = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/u.exec(line);
    const key = `${section}.${(setting?.[1] ?? '').toLowerCase()}`;
    if (setting === null || line.endsWith('\\') || !isHarmless(key, setting[2] ?? '', isOwnPlace))
      return setting === null ? line : key;
  }
  return undefined;
}

function isHarmless(key: string, value: string, isOwnPlace: (workTree: string) => boolean): boolean {
  if (urlKey.test(key)) return harmlessUrl.test(value);
  if (remoteKey.test(key)) return remoteName.test(value);
  if (key === 'core.worktree') return relativePath.test(value) && isOwnPlace(value);
  return harmlessKeys.some((pattern) => pattern.test(key));
}

/**
 * Returns whether two configurations differ only in settings that can neither run nor redirect anything. A new remote
 * or branch is harmless; the target of an old one must be the same. False for a configuration that git would not read.
 */
export function sameButHarmless(before: string, after: string): boolean {
  const [old, fresh] = [parseGitConfig(before), parseGitConfig(after)];
  if (old.malformed !== undefined || fresh.malformed !== undefined) return false;
  const known = new Set(old.settings.map(({ key }) => sectionOf(key)));
  const weighty = ({ settings }: ParsedGitConfig): string =>
    JSON.stringify(settings.filter((setting) => isWeighty(setting, known)));
  return weighty(old) === weighty(fresh);
}

/** Settings whose order matters: it decides which of two values git takes. */
function isWeighty({ key, value = '' }: GitSetting, known: ReadonlySet<string>): boolean {
  if (value.length > longestLine || /[\p{Cc}"\\#;]/u.test(value)) return true;
  return (leadsSomewhere(key) && known.has(sectionOf(key))) || !isHarmless(key, value, () => false);
}

function leadsSomewhere(key: string): boolean {
  return urlKey.test(key) || remoteKey.test(key);
}

function sectionOf(key: string): string {
  return key.slice(0, key.lastIndexOf('.'));
}
