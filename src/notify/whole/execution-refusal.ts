import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { RootFile } from '../../plan/mount.ts';
import type { Program } from '../view/programs.ts';
import { errno, tell, type Whole } from './whole.ts';

type Found = Pick<Program, 'real' | 'identity'>;

/**
 * Returns the errno for a program that is hidden by this or another name, or that the box does not have. Landlock alone
 * allows execution only for whole directories.
 */
export function executionRefusal(whole: Whole, program: Found): number | undefined {
  const { real, identity } = program;
  const ruling = whole.law.rule('execute', real);
  if (ruling.kind === 'refused' && ruling.how === 'absent') return errno.noEntry;
  if (ruling.kind === 'file' && holds(program, ruling.file)) return undefined;
  const [device = '', inode = ''] = identity.split(':');
  if (ruling.kind === 'granted' && whole.others.refuses(BigInt(device), BigInt(inode)) !== 'hidden') return undefined;
  tell(whole, 'execute', real);
  return errno.accessDenied;
}

/**
 * Whether the host's file equals the plan's file for that path. The kernel executes the host's file, not the opened
 * copy. Attack: a program outside exchanges an approved program.
 */
function holds({ real, identity }: Found, { content, encoding = 'utf8' }: RootFile): boolean {
  const meant = Buffer.from(content, encoding);
  let file;
  try {
    file = openSync(Buffer.from(real, 'latin1'), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { dev, ino, size } = fstatSync(file, { bigint: true });
    if (`${dev}:${ino}` !== identity || size !== BigInt(meant.length)) return false;
    // Reads one byte more, because the file may have grown.
    const bytes = Buffer.alloc(meant.length + 1);
    return bytes.subarray(0, readAll(file, bytes)).equals(meant);
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readAll(file: number, into: Buffer): number {
  let at = 0;
  for (let read = -1; read !== 0 && at < into.length; at += read) read = readSync(file, into, at, into.length - at, at);
  return at;
}
