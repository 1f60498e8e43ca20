import type { Dialect } from '../../llm/index.ts';
import { requestEditor } from './content-editors.ts';
import { isFile } from './edit-content.ts';

const bytesInToken = 4;

/** How many tokens the texts of a request may have, by their length: its conversation and its definitions of tools. Files and images are not counted. */
export function inputTokens(bytes: Buffer, dialect: Dialect): number {
  let length = 0;
  requestEditor(dialect, ['tool-definitions']).edit(bytes, (text, _path, of) => {
    if (of !== 'other' || !isFile(text)) length += Buffer.byteLength(text);
    return undefined;
  });
  return Math.ceil(length / bytesInToken);
}
