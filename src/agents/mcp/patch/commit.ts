import { HoldfastError, type FilePath, type Files } from '../../../sandbox/index.ts';

/** What a file is to hold; absent when it is to be gone. */
export interface Target {
  readonly path: FilePath;
  readonly before: { readonly content: Buffer; readonly mode: number } | undefined;
  readonly after: Buffer | undefined;
  /** Of a new file. Default: as any new file has it. */
  readonly mode?: number;
}

type Writer = Pick<Files, 'write' | 'remove' | 'exists'>;

/**
 * Writes all of them or none: when the kernel refuses one, those before it get back what they had, and directories that
 * were made go. Throws what refused it, or `HF_STATE_UNWRITABLE` where something could not be brought back.
 */
export async function commitPatch(files: Writer, targets: readonly Target[]): Promise<void> {
  const done: Target[] = [];
  const fresh = await missingDirectories(files, targets);
  try {
    // What is removed comes last: it is all there until everything else stands.
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
    // One that is not empty has something of someone else.
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

/** Those that writing new files makes, deepest first. */
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
    `the patch was refused in the middle, and these files could not be brought back: ${left.map(String).join(', ')}`,
    { remedy: 'look at them', cause },
  );
}
