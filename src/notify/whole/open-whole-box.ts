import { fileLaw } from '../law/file-law.ts';
import type { Supervision, WholeOptions } from '../supervise/context.ts';
import { fromReadable } from '../view/byte-text.ts';
import { boxProcesses } from './box-processes.ts';
import type { Later } from './later.ts';
import { madeHere } from './made-here.ts';
import { otherNames, withTargets } from './other-names.ts';
import { sealedFiles } from './sealed-files.ts';
import type { Whole } from './whole.ts';

export interface WholeBox {
  readonly options: Pick<WholeOptions, 'protection' | 'found'>;
  /** Any of the box. */
  readonly thread: number;
}

export function openWholeBox({ later, ...supervision }: Supervision & { readonly later: Later }, { options: { protection, found: named }, thread }: WholeBox): Whole {
  const { policy, mounts } = supervision.options;
  const ground = madeHere(supervision.box, protection.roots.map(fromReadable));
  const found = withTargets(named, protection, supervision);
  const law = fileLaw({ policy, mounts, protection, ground, found });
  return { supervision, law, ground, others: otherNames(found), files: sealedFiles(supervision.atEnd), processes: boxProcesses(thread), later, told: new Set() };
}
