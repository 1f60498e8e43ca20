import type { Survey } from './survey.ts';

/**
 * The launcher's sweep gives this name to a protected file that it moved because no supervisor was left to quarantine
 * it.
 */
const putAside = /\.refused-by-holdfast(?:\/|$)/u;

export interface ResidueInput {
  readonly before: Survey;
  readonly after: Survey;
  /** The attack's own files in the workspace if nothing stops it. */
  readonly ownWork: ReadonlySet<string>;
  /** Processes that outlived the box. */
  readonly processes: readonly string[];
}

/** Everything that a box left on the host, except the attack's own files in its workspace. */
export function residueOf({ before, after, ownWork, processes }: ResidueInput): readonly string[] {
  const inWorkspace = added(before.workspace, after.workspace).filter(
    (entry) => !ownWork.has(entry) && !putAside.test(entry),
  );
  return [
    ...processes.map((process) => `process ${process}`),
    ...added(before.mounts, after.mounts).map((mount) => `mount ${mount}`),
    ...added(before.groups, after.groups).map((group) => `control group ${group}`),
    ...added(before.listeners, after.listeners).map((listener) => `listener ${listener}`),
    ...added(before.arena, after.arena),
    ...added(before.shared, after.shared),
    ...inWorkspace.map((entry) => `${entry} in the workspace`),
  ];
}

export function added(before: ReadonlySet<string>, after: ReadonlySet<string>): readonly string[] {
  return [...after].filter((entry) => !before.has(entry));
}
