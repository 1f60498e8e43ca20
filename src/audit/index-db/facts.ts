/** The fields of a journal line. They may come from a later version, or be handwritten. */
export type RawEntry = Readonly<Record<string, unknown>>;

/** The values by which an entry is found. */
export interface IndexedFacts {
  /** Milliseconds since the epoch. 0 if the entry has no time. */
  readonly time: number;
  readonly type: string;
  /** Empty if the entry belongs to no session. */
  readonly session: string;
  /** `deny`, `ask`, `once` …; empty without a decision. */
  readonly decision: string;
  /** Absolute paths of files, and the paths of requests. */
  readonly paths: readonly string[];
  /** Lower case. */
  readonly hosts: readonly string[];
  /** All texts that describe the entry, folded by `foldText`. */
  readonly text: string;
}

/**
 * Reads fields by their shape, not by types. So an event of a later version is found by the fields that it shares with
 * ours.
 */
export function indexedFacts(entry: RawEntry): IndexedFacts {
  const request = recordIn(entry, 'request');
  const verdict = recordIn(entry, 'verdict');
  const time = Date.parse(textIn(entry, 'time'));
  return {
    time: Number.isNaN(time) ? 0 : time,
    type: textIn(entry, 'type'),
    session: textIn(entry, 'session'),
    decision: textIn(entry, 'decision') || textIn(verdict, 'decision'),
    paths: pathsOf(entry, request),
    hosts: distinct(
      [textIn(entry, 'host'), textIn(request, 'host'), ...(request['kind'] === 'dns' ? [textIn(request, 'name')] : [])]
        .filter((host) => host !== '')
        .map((host) => foldText(host)),
    ),
    text: foldText(textOf(entry)),
  };
}

/** Folds a text for search: lower case, well-formed. Independent of the tables of SQLite. */
export function foldText(text: string): string {
  return text.toLowerCase().toWellFormed();
}

const nothing: RawEntry = {};
const pathKeys = ['path', 'movedTo', 'cwd', 'program', 'address'];

function pathsOf(entry: RawEntry, request: RawEntry): readonly string[] {
  const workspace = textIn(entry, 'workspace');
  const { files } = entry;
  const listed = Array.isArray(files) ? files.flatMap((file) => textsIn(asRecord(file), ['path'])) : [];
  const found = [
    ...[entry, request].flatMap((fields) => textsIn(fields, pathKeys)).filter((path) => path.startsWith('/')),
    ...listed,
  ];
  return distinct(found).map((path) => (path.startsWith('/') ? path : `${workspace}/${path}`));
}

/** Fields of every entry that no one searches for. All others are text. */
const silentKeys = new Set(['v', 'seq', 'time', 'prev', 'mac', 'session', 'workspace', 'policy', 'sha256']);
/** Our entries nest no deeper. In a deeper line, only the upper levels are found. */
const deepest = 16;

function textOf(entry: RawEntry): string {
  const texts: string[] = [];
  collect(entry, deepest, texts);
  return texts.join('\n');
}

function collect(value: unknown, depth: number, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const key in value) if (!silentKeys.has(key)) collect((value as RawEntry)[key], depth - 1, texts);
  }
}

function textIn(fields: RawEntry, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}

function textsIn(fields: RawEntry, keys: readonly string[]): readonly string[] {
  return keys.map((key) => textIn(fields, key)).filter((value) => value !== '');
}

function recordIn(fields: RawEntry, key: string): RawEntry {
  return asRecord(fields[key]);
}

function asRecord(value: unknown): RawEntry {
  return typeof value === 'object' && value !== null ? (value as RawEntry) : nothing;
}

function distinct(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : [...new Set(values)];
}
