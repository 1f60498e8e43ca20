import { firstProgram } from '../first-program.ts';

/** Only where the system puts it, and where a box shows it: one in a writable root would be the box's own. */
const directories = ['/usr/bin', '/usr/local/bin', '/run/current-system/sw/bin'] as const;
const names: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: 'qemu-system-x86_64' };

/** Absolute path of the qemu that runs guests of this machine's kind. */
export function findQemu(architecture: NodeJS.Architecture): string | undefined {
  const name = names[architecture];
  return name === undefined ? undefined : firstProgram(directories.map((directory) => `${directory}/${name}`));
}
