/** Bytes of a file name that every file system takes; git keeps branches as files. */
const longest = 200;
const part = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/u;

/**
 * What is wrong with the name of a new branch, or undefined. Far less than git allows: no word of it can be an option
 * (`--upload-pack=…`), a path (`../..`), a revision (`@{1}`), or the name of a ref of git's own.
 */
export function branchProblem(name: string): string | undefined {
  if (name.length === 0 || name.length > longest) return `a branch has 1 to ${longest} letters`;
  const parts = name.split('/');
  if (parts.some((each) => !part.test(each) || each.includes('..'))) return 'use letters, digits, dots, hyphens and underscores, in parts with / between them';
  if (parts.some((each) => /\.lock$/iu.test(each))) return 'no part may end with .lock';
  if (parts[0]?.toLowerCase() === 'refs' || /^(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD)$/iu.test(name) || /^[0-9a-f]{40,64}$/iu.test(name)) return 'git itself uses such a name';
  return undefined;
}
