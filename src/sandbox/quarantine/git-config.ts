/** Keys that a fresh `git init`, `clone`, `worktree add` or `submodule update` writes and that cannot run anything. */
const harmlessKeys: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/u,
  /^branch\..*\.(?:remote|merge|rebase)$/u,
  /^remote\..*\.(?:fetch|tagopt)$/u,
  /^submodule\..*\.(?:active|branch|path)$/u,
  /^(?:submodule\.active|user\.name|user\.email|init\.defaultbranch)$/u,
  /^extensions\.(?:objectformat|worktreeconfig|refstorage)$/u,
];

/** `ext::` and other remote helpers run programs; these forms do not. */
const harmlessUrl = /^(?:https?:\/\/|ssh:\/\/|git:\/\/|file:\/\/|\/|\.{1,2}\/|[\w.-]+@[\w.-]+:(?!:))[^\n]*$/u;
const urlKey = /^(?:remote|submodule)\..*\.(?:url|pushurl)$/u;
const relativePath = /^(?:\.\.\/)*[\w.][\w./ -]*$/u;

/** The first setting that could run or redirect something, as `section.key`, or undefined when there is none. */
export function dangerousSetting(text: string): string | undefined {
  let section = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]$/u.exec(line);
    if (header !== null) {
      section = header[2] === undefined ? (header[1] ?? '').toLowerCase() : `${(header[1] ?? '').toLowerCase()}.${header[2]}`;
      continue;
    }
    const setting = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/u.exec(line);
    const key = `${section}.${(setting?.[1] ?? '').toLowerCase()}`;
    if (setting === null || line.endsWith('\\') || !isHarmless(key, setting[2] ?? '')) return setting === null ? line : key;
  }
  return undefined;
}

function isHarmless(key: string, value: string): boolean {
  if (urlKey.test(key)) return harmlessUrl.test(value);
  if (key === 'core.worktree') return relativePath.test(value);
  return harmlessKeys.some((pattern) => pattern.test(key));
}
