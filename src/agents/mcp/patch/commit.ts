import { HoldfastError, type FilePath, type Files } from '../../../sandbox/index.ts';

/** New content of a file. Undefined if the file is to be removed. */
export interface Target {
  readonly path: FilePath;
  readonly before: { readonly content: Buffer; readonly mode: number } | undefined;
  readonly after: Buffer | undefined;
  /** Mode of a new file. Default: that of any new file. */
  readonly mode?: number;
}

type Writer = Pick<Files, 'write' | 'remove' | 'exists'>;

/**
 * Writes all files or none. If the kernel refuses one, earlier ones get their content back, and new directories are
 * removed. Throws the refusal, or `HF_STATE_UNWRITABLE` if something could not be restored.
 */
export async function commitPatch(files: Writer, targets: readonly Target[]): Promise<void> {
  const done: Target[] = [];
  const fresh = await missingDirectories(files, targets);
  try {
    // Removals come last, so that the old files exist until all others are written.
    for (const target of targets.toSorted((a, b) => Number(a.after === undefined) - Number(b.after === undefined))) {
      await put(
        files,
        target.path,
        target.after === undefined
          ? undefined
          : { content: target.after, mode: target.before?.mode ?? target.mode ?? newFile },
      );
      done.push(target);
    }
  } catch (error) {
    await takeBack(files, done, error);
    // A directory with entries holds a file of someone else.
    for (const directory of fresh) await files.remove(directory, { missing: 'ignore' }).catch(() => undefined);
    throw error;
  }
}

const newFile = 0o666;

function put(files: Writer, path: FilePath, state: Target['before']): Promise<void> {
  return state === undefined
    ? files.remove(path)
    : files.write(path, state.content, { replace: 'atomic', mode: state.mode });
}

/** Returns the directories that new files need, deepest first. */
async function missingDirectories(files: Writer, targets: readonly Target[]): Promise<readonly Buffer[]> {
  const missing = new Set<string>();
  for (const { path, before } of targets) {
    if (before !== undefined) continue;
    let directory = parentOf(Buffer.from(path).toString('latin1'));
    while (
      directory !== '' &&
      !missing.has(directory) &&
      !(await files.exists(Buffer.from(directory, 'latin1')).catch(() => true))
    ) {
      missing.add(directory);
      directory = parentOf(directory);
    }
  }
  return [...missing].toSorted((a, b) => b.length - a.length).map((directory) => Buffer.from(directory, 'latin1'));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function takeBack(files: Writer, done: readonly Target[], cause: unknown): Promise<void> {
  const left: FilePath[] = [];
  for (const { path, before } of done.toReversed()) await put(files, path, before).catch(() => left.push(path));
  if (left.length === 0) return;
  throw new HoldfastError(
    'HF_STATE_UNWRITABLE',
    `the patch was refused halfway, and these files could not be restored: ${left.map(String).join(', ')}`,
    { remedy: 'look at them', cause },
  );
}
