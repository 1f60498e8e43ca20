import { type InferOutput, number, strictObject, string } from 'valibot';
import { unescapePath } from '../../../text/paths/unescape-path.ts';
import { changesFiles, defineTool, type ToolAnswer, type ToolContext } from '../tool.ts';
import { path, textField } from './fields.ts';

const longest = 4 * 1024 * 1024;

const input = strictObject({
  path: path('A file. Directories above it are made.'),
  content: textField('The whole content.', longest),
});

const output = strictObject({ path: string(), bytes: number() });

export const writeTool = defineTool({
  name: 'write',
  title: 'Write a file',
  description:
    'Writes a whole file: readers see either the old content or all of the new. To change a part of a file, use edit or apply_patch.',
  annotations: { ...changesFiles, idempotentHint: true },
  input,
  output,
  run,
});

async function run(
  { path: name, content }: InferOutput<typeof input>,
  { sandbox, inTurn }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const data = Buffer.from(content);
  await inTurn(() => sandbox.files.write(unescapePath(name), data, { replace: 'atomic' }));
  return { text: `wrote ${data.length} bytes to ${name}`, structured: { path: name, bytes: data.length } };
}
