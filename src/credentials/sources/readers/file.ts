import { longestAnswer } from '../run-program.ts';
import { readHostFile } from '../read-host-file.ts';
import type { Answer, ReadSource } from '../types.ts';

/** Bytes of a file that holds more than the secret. */
const longestFile = 1024 * 1024;

/** A file of the host, without blanks around what is in it; or the field of one for the hosts of the credential. */
export const readFileSource: ReadSource<'file'> = (source, { binding, injection }, { writableRoots, extract }) => {
  const { path, format = 'text' } = source;
  const read = readHostFile(path, { longest: format === 'text' ? longestAnswer : longestFile, writableRoots });
  if (read.kind !== 'text') return Promise.resolve(read);
  const { text, notice } = read;
  const found = format === 'text' ? { value: text.trim(), fields: {} } : extract(format, text, { hosts: binding.hosts, ...('user' in injection && injection.user !== undefined ? { user: injection.user } : {}) });
  if (found === undefined) return Promise.resolve({ kind: 'missing', why: `${path} holds no secret for these hosts, or is no ${format} file`, remedy: 'log in with the tool that writes this file, or correct `format`' });
  return Promise.resolve({ kind: 'answer', value: found.value, fields: found.fields, ...(notice === undefined ? {} : { notice }) } satisfies Answer);
};
