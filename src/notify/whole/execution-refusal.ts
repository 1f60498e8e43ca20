import type { Program } from '../view/programs.ts';
import { errno, tell, type Whole } from './whole.ts';

/** The errno for a program that names hide, by this or another name, or that the box does not have. Landlock alone lets whole directories be executed. */
export function executionRefusal(whole: Whole, { real, identity }: Pick<Program, 'real' | 'identity'>): number | undefined {
  const ruling = whole.law.rule('execute', real);
  if (ruling.kind === 'refused' && ruling.how === 'absent') return errno.noEntry;
  const [device = '', inode = ''] = identity.split(':');
  if (ruling.kind === 'granted' && whole.others.refuses(BigInt(device), BigInt(inode)) !== 'hidden') return undefined;
  tell(whole, 'execute', real);
  return errno.accessDenied;
}
