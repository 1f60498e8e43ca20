import { writeCpio, type CpioEntry } from './cpio.ts';
import type { GuestModule, SelectedModules } from './select-modules.ts';

/**
 * The guest's first file system: `/init`, `/modules/NAME.ko`, `/modules/list` (names of files, one a line, in the order in which they are
 * loaded), `/modules/further` (the same for what is loaded only by who needs it), a console, and directories to mount on.
 */
export function writeInitramfs(guest: Uint8Array, { needed, further }: SelectedModules): Buffer {
  return writeCpio([
    ...directories.map((path): CpioEntry => ({ kind: 'directory', path, mode: 0o755 })),
    // The kernel opens it for the first process, before anything can mount a file system of devices.
    { kind: 'device', path: 'dev/console', mode: 0o600, device: [5, 1] },
    { kind: 'file', path: 'init', mode: 0o755, bytes: guest },
    ...[...needed, ...further].map(({ name, bytes }): CpioEntry => ({ kind: 'file', path: `modules/${name}.ko`, mode: 0o644, bytes })),
    { kind: 'file', path: 'modules/list', mode: 0o644, bytes: listOf(needed) },
    { kind: 'file', path: 'modules/further', mode: 0o644, bytes: listOf(further) },
  ]);
}

const directories = ['dev', 'modules', 'newroot', 'proc', 'run', 'sys', 'tmp'] as const;

function listOf(modules: readonly GuestModule[]): Buffer {
  return Buffer.from(modules.map(({ name }) => `${name}.ko\n`).join(''));
}
