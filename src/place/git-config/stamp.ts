import { type Dirent, readdirSync, statSync } from 'node:fs';

export interface FileStamp {
  readonly path: string;
  readonly state: string;
}

/** The configuration files that were read, and their state, which shows whether they have changed. */
export interface GitConfigStamp {
  readonly files: readonly FileStamp[];
  readonly variables: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function holdsGitConfig({ files, variables }: GitConfigStamp, environment: Environment): boolean {
  return variables === variablesOf(environment) && holdFiles(files);
}

export function holdFiles(files: readonly FileStamp[]): boolean {
  return files.every(
    ({ path, state }) =>
      (state === 'directory' ? stampFile : state[0] === '/' ? stampLinks : stampListing)(path).state === state,
  );
}

/** For a directory that may get links. Its other changes do not matter. The state is a list that begins with `/`. */
export function stampLinks(path: string): FileStamp {
  let entries: readonly Dirent[] = [];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    // It is missing, or nobody can list it.
  }
  return { path, state: `/${entries.flatMap((entry) => (entry.isSymbolicLink() ? entry.name : []))}` };
}

/** For a file that is read. In its place, a directory has no content: every command of git changes the time of `.git`. */
export function stampFile(path: string): FileStamp {
  return { path, state: statOf(path)?.isDirectory() ? 'directory' : stateOf(path) };
}

/** For a path that may be a directory whose names are read. */
export function stampListing(path: string): FileStamp {
  return { path, state: stateOf(path) };
}

/** Returns the variables that tell git where its configuration is. */
export function variablesOf(environment: Environment): string {
  return JSON.stringify(
    ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'XDG_CONFIG_HOME'].map((name) => environment[name] ?? null),
  );
}

/** A content cannot change without the change time, which no program can set. */
function stateOf(path: string): string {
  const stats = statOf(path);
  if (stats === undefined) return 'missing';
  return [stats.dev, stats.ino, stats.size, stats.ctimeMs].join(' ');
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // EACCES, ENOTDIR: git cannot read it either.
    return undefined;
  }
}
