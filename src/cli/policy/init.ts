import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { projectFile } from '../../sandbox/policy-texts.ts';
import type { CommandInput } from '../command.ts';
import { printResult } from '../print-result.ts';
import { projectTemplate } from './project-template.ts';
import { placeOf } from './sources.ts';

/** `holdfast policy init`: a commented policy at the top of the workspace, which changes nothing until it is edited. */
export function initPolicy(input: CommandInput): number {
  const path = join(placeOf(input).workspace.root, projectFile);
  writeNew(path);
  printResult(input, { file: path }, `wrote ${path}: edit it, then \`holdfast policy check\`\n`);
  return 0;
}

/** Exclusive, so that no file is overwritten and no symlink followed, whenever it came to be there. */
function writeNew(path: string): void {
  try {
    writeFileSync(path, projectTemplate, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new HoldfastError('HF_USAGE', `${path} is there already`, { remedy: 'edit it, or move it away first', cause });
    throw new HoldfastError('HF_POLICY_UNREADABLE', `${path} cannot be written: ${code ?? String(cause)}`, { remedy: 'make the workspace writable', cause });
  }
}
