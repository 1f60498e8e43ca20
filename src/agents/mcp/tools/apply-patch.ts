import { array, minLength, picklist, pipe, strictObject, string, type InferOutput } from 'valibot';
import { type FilePath, type Files, HoldfastError, unescapePath } from '../../../sandbox/index.ts';
import { parsePatch } from '../patch/parse-patch.ts';
import { type FileChange, latin1Text } from '../patch/problems.ts';
import { changesFiles, defineTool, readWhole, type ToolAnswer, type ToolContext } from '../tool.ts';
import { textField } from './fields.ts';

const longest = 2 * 1024 * 1024;

const input = strictObject({
  patch: pipe(
    textField(
      'A unified diff, or *** Begin Patch … *** End Patch with *** Add File:, *** Delete File:, *** Update File: and *** Move to:.',
      longest,
    ),
    minLength(1),
  ),
});

const output = strictObject({
  files: array(strictObject({ path: string(), change: picklist(['added', 'updated', 'deleted']) })),
});

export const applyPatchTool = defineTool({
  name: 'apply_patch',
  title: 'Apply a patch',
  description:
    'Changes any number of files as a patch says: all of it, or nothing. Lines that the patch does not name keep their bytes.',
  annotations: changesFiles,
  input,
  output,
  run,
});

/** New content of a file. Undefined if the file is to be removed. */
export interface Target {
  readonly path: FilePath;
  readonly before: { readonly content: Buffer; readonly mode: number } | undefined;
  readonly after: Buffer | undefined;
  /** Mode of a new file. Default: that of any new file. */
  readonly mode?: number;
}

type Writer = Pick<Files, 'write' | 'remove' | 'exists'>;

const newFile = 0o666;

function run(
  { patch }: InferOutput<typeof input>,
  { sandbox, inTurn }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const changes = parsePatch(patch);
  return inTurn(async () => {
    const targets = (await Promise.all(changes.map((change) => targetsOf(sandbox.files, change)))).flat();
    await commitPatch(sandbox.files, targets);
    const files = targets.map(({ name, before, after }) => ({
      path: name,
      change:
        after === undefined ? ('deleted' as const) : before === undefined ? ('added' as const) : ('updated' as const),
    }));
    return { text: files.map(({ path, change }) => `${change} ${path}`).join('\n'), structured: { files } };
  });
}

interface NamedTarget extends Target {
  /** Name as in the patch. */
  readonly name: string;
}

async function targetsOf(files: Files, change: FileChange): Promise<readonly NamedTarget[]> {
  const name = latin1Text(change.path);
  if (change.kind === 'add') return [await added(files, name, change.content)];
  const before = await stateOf(files, name);
  if (change.kind === 'delete') return [{ ...named(name), before, after: undefined }];
  const after = change.apply(before.content.toString('latin1'));
  if (change.moveTo === undefined) return [{ ...named(name), before, after: Buffer.from(after, 'latin1') }];
  const moved = await added(files, latin1Text(change.moveTo), after);
  return [
    { ...moved, mode: before.mode },
    { ...named(name), before, after: undefined },
  ];
}

function named(name: string): Pick<NamedTarget, 'name' | 'path'> {
  return { name, path: unescapePath(name) };
}

async function added(files: Files, name: string, content: string): Promise<NamedTarget> {
  if (await files.exists(unescapePath(name)))
    throw new HoldfastError('HF_USAGE', `${name} already exists`, {
      remedy: 'update it, or delete it first; nothing was changed',
    });
  return { ...named(name), before: undefined, after: Buffer.from(content, 'latin1') };
}

async function stateOf(files: Files, name: string): Promise<NonNullable<Target['before']>> {
  const { path } = named(name);
  const [content, { mode }] = await Promise.all([readWhole(files, path), files.stat(path)]);
  return { content, mode: mode & 0o7777 };
}

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
