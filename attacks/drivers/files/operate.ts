import type { BatchBuilder, Files } from '../../../src/files/index.ts';

/** One operation of an attack, as in a line of `rows.tsv` or `race.json`: `op` is the name of a method of `Files`. */
export interface AttackOperation {
  readonly op: string;
  readonly path?: string;
  readonly from?: string;
  readonly to?: string;
  readonly text?: string;
  readonly data?: string;
  readonly flag?: 'w' | 'a' | 'r+';
  readonly replace?: 'atomic';
  readonly existing?: 'replace' | 'refuse' | 'exchange';
  readonly symlink?: 'follow';
  readonly tree?: 'whole';
  readonly mode?: number;
  /** The host's action, for `host` and `watch`. */
  readonly sh?: string;
}

/** The methods that a batch also supports. */
type Doer = Pick<
  Files | BatchBuilder,
  'write' | 'append' | 'makeDir' | 'copy' | 'rename' | 'link' | 'symlink' | 'truncate' | 'times' | 'mode' | 'remove'
>;

/** Performs an operation that changes something. Undefined for other operations. */
export function change(files: Doer, o: AttackOperation): Promise<void> | number | undefined {
  const { path = '', from = '', to = '', data = '', symlink, tree } = o;
  switch (o.op) {
    case 'write':
      return files.write(path, data, {
        parents: 'require',
        ...(o.flag === undefined ? {} : { flag: o.flag }),
        ...(o.replace === undefined ? {} : { replace: o.replace }),
      });
    case 'append':
      return files.append(path, data, { parents: 'require' });
    case 'makeDir':
      return files.makeDir(path, { parents: 'require' });
    case 'copy':
      return files.copy(from, to, symlink === undefined ? {} : { symlink });
    case 'rename':
      return files.rename(from, to, o.existing === undefined ? {} : { existing: o.existing });
    case 'link':
      return files.link(from, to);
    case 'symlink':
      return files.symlink(o.text ?? '', path);
    case 'truncate':
      return files.truncate(path);
    case 'times':
      return files.times(path, { accessed: 1n, modified: 1n });
    case 'mode':
      return files.mode(path, o.mode ?? 0);
    case 'remove':
      return files.remove(path, tree === undefined ? {} : { tree });
    default:
      return undefined;
  }
}

/** A refusal of the kernel, which an attack should meet. Any other error ends the attack. */
export function refusalCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^E[A-Z0-9]+$/u.test(code)) throw error;
  return code;
}
