import {
  boolean,
  description,
  type InferOutput,
  minLength,
  number,
  optional,
  pipe,
  strictObject,
  string,
} from 'valibot';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import { unescapePath } from '../../../text/paths/unescape-path.ts';
import { present } from '../../../text/present.ts';
import { changesFiles, defineTool, readWhole, type ToolAnswer, type ToolContext } from '../tool.ts';
import { path, textField } from './fields.ts';

const longest = 1024 * 1024;

const input = strictObject({
  path: path('A file.'),
  oldString: pipe(textField('The existing text, byte for byte.', longest), minLength(1)),
  newString: textField('The new text.', longest),
  replaceAll: optional(pipe(boolean(), description('Every place, rather than the only one.')), false),
});

const output = strictObject({ path: string(), replaced: number() });

export const editTool = defineTool({
  name: 'edit',
  title: 'Edit a file',
  description:
    'Replaces a text in a file by another. The text has to occur exactly once, unless replaceAll is set. Everything else of the file keeps its bytes.',
  annotations: changesFiles,
  input,
  output,
  run,
});

function run(
  { path: name, oldString, newString, replaceAll }: InferOutput<typeof input>,
  { sandbox, inTurn }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  return inTurn(async () => {
    const file = unescapePath(name);
    const before = await readWhole(sandbox.files, file);
    const places = placesOf(before, Buffer.from(oldString), replaceAll ? Number.POSITIVE_INFINITY : 2);
    if (places.length === 0) throw notThere(name, before);
    if (places.length > 1 && !replaceAll)
      throw new HoldfastError('HF_USAGE', `oldString occurs more than once in ${name}`, {
        remedy: 'give more of the text around it, or set replaceAll',
      });
    await sandbox.files.write(
      file,
      replaced(before, places, { length: Buffer.byteLength(oldString), by: Buffer.from(newString) }),
      { replace: 'atomic' },
    );
    return {
      text: `replaced ${places.length} ${places.length === 1 ? 'place' : 'places'} in ${name}`,
      structured: { path: name, replaced: places.length },
    };
  });
}

/** Searches bytes, so that content that is not UTF-8 stays unchanged. */
function placesOf(content: Buffer, wanted: Buffer, most: number): readonly number[] {
  const places: number[] = [];
  for (
    let at = content.indexOf(wanted);
    at !== -1 && places.length < most;
    at = content.indexOf(wanted, at + wanted.length)
  )
    places.push(at);
  return places;
}

interface Replacement {
  readonly length: number;
  readonly by: Buffer;
}

function replaced(content: Buffer, places: readonly number[], { length, by }: Replacement): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(content.subarray(from, place), by);
    from = place + length;
  }
  return Buffer.concat([...parts, content.subarray(from)]);
}

/** Text shown as ⟦U+…⟧ cannot be passed back. */
function notThere(name: string, content: Buffer): HoldfastError {
  const hides = present('file-content', content.toString()).findings.length > 0;
  return new HoldfastError('HF_USAGE', `oldString is not in ${name}${hides ? ', which has hidden characters' : ''}`, {
    remedy: hides
      ? 'read the file again and choose a part without ⟦U+…⟧, or write it again'
      : 'read the file again: it has to be the same to the byte, with its blanks',
  });
}
