import { lazily } from '../lazily.ts';

/** Patterns about one program, in the order in which they are tried. */
export interface WordTable<Entry> {
  readonly all: readonly Entry[];
  /** The first that passes; those that need a word which the command has not are not tried. */
  readonly first: (argv: readonly string[], passes: (entry: Entry) => boolean) => Entry | undefined;
}

interface Ordered {
  readonly order: number;
}

/** Fewer are tried one by one more quickly. */
const fewest = 6;
/** Longer commands try every pattern once, so that no repeated word multiplies the work. */
const mostWords = 32;

/** `neededBy` names the words of which one has to follow the program, or undefined where none does. */
export function wordTable<Entry extends Ordered>(all: readonly Entry[], neededBy: (entry: Entry) => readonly string[] | undefined): WordTable<Entry> {
  if (all.length < fewest) return { all, first: (_, passes) => all.find(passes) };
  const tables = lazily(() => tablesOf(all, neededBy));
  return { all, first: (argv, passes) => (argv.length > mostWords ? all.find(passes) : firstOf(tables(), argv, passes)) };
}

interface Tables<Entry> {
  /** Those that need no certain word. */
  readonly open: readonly Entry[];
  readonly byWord: ReadonlyMap<string, readonly Entry[]>;
}

function tablesOf<Entry>(all: readonly Entry[], neededBy: (entry: Entry) => readonly string[] | undefined): Tables<Entry> {
  const open: Entry[] = [];
  const byWord = new Map<string, Entry[]>();
  for (const entry of all) {
    const words = neededBy(entry);
    if (words === undefined) open.push(entry);
    else for (const word of new Set(words)) append(byWord, word, entry);
  }
  return { open, byWord };
}

function append<Entry>(lists: Map<string, Entry[]>, word: string, entry: Entry): void {
  const list = lists.get(word);
  if (list === undefined) lists.set(word, [entry]);
  else list.push(entry);
}

function firstOf<Entry extends Ordered>({ open, byWord }: Tables<Entry>, argv: readonly string[], passes: (entry: Entry) => boolean): Entry | undefined {
  let best = open.find(passes);
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const list = byWord.get(word);
    if (list === undefined || argv.indexOf(word, 1) < at) continue;
    const found = list.find(passes);
    if (found !== undefined && (best === undefined || found.order < best.order)) best = found;
  }
  return best;
}
