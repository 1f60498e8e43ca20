/** Classes of command lines, from weak to strong. Each class may do everything that weaker ones may. */
export const commandClasses = [
  'reads',
  'writes the workspace',
  'reaches out',
  'leaves the session behind',
  'changes the machine',
  'destroys',
  'anything',
] as const;

/**
 * - `reads` — reads files and prints findings.
 * - `writes the workspace` — changes files of the workspace, or of directories for temporary files and caches.
 * - `reaches out` — connects to a host.
 * - `leaves the session behind` — starts or leaves what runs after the session: cron, services, daemons, login files.
 * - `changes the machine` — changes mounts, modules, users, networks, processes, or files outside of the workspace.
 * - `destroys` — loses data for good: file systems, homes, whole trees, history of a remote repository.
 * - `anything` — nobody can know: unknown programs and words, and code that is not looked into.
 */
export type CommandClass = (typeof commandClasses)[number];

/** Negative if `a` is weaker than `b`. */
export function compareClasses(a: CommandClass, b: CommandClass): number {
  return commandClasses.indexOf(a) - commandClasses.indexOf(b);
}
