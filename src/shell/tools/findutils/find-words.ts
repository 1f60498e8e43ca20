/** What each word of find's expression takes, by its name without the dash. Words that are not here are not understood. */
export type Takes =
  | 'nothing'
  | 'text'
  | 'read' // a file whose times or number it looks at
  | 'write'
  | 'write-format' // a file, then a format
  | 'command'
  | 'command-there' // a command in the directory of each file
  | 'delete'
  | 'lists'; // a file that lists where to start

const named = (takes: Takes, names: string): readonly (readonly [string, Takes])[] => names.split(' ').map((name) => [`-${name}`, takes] as const);

export const findWords: ReadonlyMap<string, Takes> = new Map([
  ...named('nothing', 'a and o or not daystart depth d follow help ignore_readdir_race noignore_readdir_race mount xdev noleaf nowarn warn version true false empty'),
  ...named('nothing', 'executable readable writable nogroup nouser ls print print0 prune quit'),
  ...named('text', 'maxdepth mindepth regextype amin atime cmin ctime mmin mtime fstype gid group ilname iname inum ipath iregex iwholename links lname name path perm regex size type uid used user wholename xtype context printf'),
  ...named('read', 'anewer cnewer newer samefile'),
  ...named('write', 'fls fprint fprint0'),
  ...named('write-format', 'fprintf'),
  ...named('command', 'exec ok'),
  ...named('command-there', 'execdir okdir'),
  ...named('delete', 'delete'),
  ...named('lists', 'files0-from'),
]);

/** `-newerXY`: with a `t` at the end its value is a time, otherwise a file. */
export function takesOf(word: string): Takes | undefined {
  const compared = /^-newer[aBcm]([aBcmt])$/u.exec(word);
  if (compared !== null) return compared[1] === 't' ? 'text' : 'read';
  return findWords.get(word);
}
