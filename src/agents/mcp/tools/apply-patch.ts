import { array, minLength, picklist, pipe, strictObject, string, type InferOutput } from 'valibot';
import { HoldfastError, unescapePath, type Files } from '../../../sandbox/index.ts';
import { commitPatch, type Target } from '../patch/commit.ts';
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
