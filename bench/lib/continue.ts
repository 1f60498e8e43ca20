import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { notifyFilter } from '../../src/plan/seccomp/notify.ts';
import type { Peer } from './peers.ts';
import type { Scratch } from './scratch.ts';
import { runCommand } from './spawn.ts';

/** A listener that stops the same calls as the guard, and only answers “continue”: the kernel's own cost of them. */
export async function onlyContinue({ beside }: Scratch): Promise<Peer> {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') return { kind: 'absent', reason: `there is no filter for ${arch}` };
  const program = join(beside, 'continue'),
    filter = join(beside, 'creations.bpf');
  writeFileSync(filter, notifyFilter({ architecture: arch, groups: ['creations'] }));
  try {
    await runCommand([
      'cc',
      '-O2',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-pthread',
      '-o',
      program,
      join(import.meta.dirname, '../native/continue.c'),
    ]);
  } catch {
    return { kind: 'absent', reason: 'it needs a C compiler (Debian: gcc libc6-dev)' };
  }
  return { kind: 'present', prefix: [program, filter] };
}
