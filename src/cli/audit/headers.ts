import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { text, texts, type CommandInput } from '../command.ts';

type Header = readonly [name: string, value: string];

/** The headers of `--header` and of the lines of `--headers-file`. They may be secrets: no message quotes one. */
export function collectorHeaders({ values, io }: Pick<CommandInput, 'values' | 'io'>): readonly Header[] {
  const file = text(values['headers-file']);
  const lines = file === undefined ? [] : readLines(resolve(io.cwd, file));
  return [...lines.map((line, index) => headerOf(line, `a line of ${file} (of those that hold anything, number ${index + 1})`)), ...texts(values['header']).map((line) => headerOf(line, 'a --header'))];
}

function headerOf(line: string, where: string): Header {
  const [, name, value] = /^([^:\s]+):[ \t]*(.*?)[ \t]*$/u.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new HoldfastError('HF_USAGE', `${where} is not "Name: value"`, { remedy: "as in --header 'X-Tenant: one'" });
  return [name, value];
}

const largest = 65_536;

/** Empty lines and those that begin with `#` say nothing. */
function readLines(file: string): readonly string[] {
  return readText(file).split(/\r?\n/u).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

function readText(file: string): string {
  try {
    const fd = openSync(file, 'r');
    try {
      if (fstatSync(fd).size > largest) throw new HoldfastError('HF_USAGE', `${file} is larger than ${largest} bytes`, { remedy: 'name a file with one header a line' });
      const bytes = Buffer.alloc(largest);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, largest, null));
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || cause instanceof HoldfastError) throw cause;
    throw new HoldfastError('HF_USAGE', `${file} cannot be read (${code})`, { remedy: 'name a file with one header a line', cause });
  }
}
