import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { describeFindings, present, type BoundaryName } from '../../text/index.ts';
import { isSet, text, type CommandInput } from '../command.ts';
import { jsonLine } from '../json-text.ts';

const audiences: ReadonlyMap<string, BoundaryName> = new Map([
  ['model', 'command-output'],
  ['person', 'terminal-output'],
]);

/** A file, or stdin, as it may pass to a model or a person. */
export function showText({ values, io }: CommandInput, paths: readonly string[]): number {
  if (paths.length > 1) throw new HoldfastError('HF_USAGE', `expected one file, got ${paths.length}`, { remedy: 'use `holdfast text scan` for several' });
  const audience = text(values['for']) ?? 'model';
  const boundary = audiences.get(audience);
  if (boundary === undefined) throw new HoldfastError('HF_USAGE', `expected model or person after --for, got ${JSON.stringify(audience)}`, { remedy: 'as in --for person' });
  const shown = present(boundary, readText(paths[0], io.cwd));
  io.stdout.write(isSet(values['json']) ? jsonLine(shown) : shown.text);
  if (shown.findings.length > 0) io.stderr.write(`holdfast: the text holds what does not show: ${describeFindings(shown.findings)}\n`);
  return 0;
}

function readText(path: string | undefined, cwd: string): string {
  try {
    return readFileSync(path === undefined ? 0 : resolve(cwd, path), 'utf8');
  } catch (cause) {
    throw new HoldfastError('HF_USAGE', `${path === undefined ? 'stdin' : JSON.stringify(path)} cannot be read`, { remedy: 'name a file that can', cause });
  }
}
