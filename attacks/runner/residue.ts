import type { Survey } from './survey.ts';

/** What the launcher's sweep calls a protected file that it put aside because nobody was left to quarantine it. */
const putAside = /\.refused-by-holdfast(?:\/|$)/u;

export interface ResidueInput {
  readonly before: Survey;
  readonly after: Survey;
  /** What the attack itself makes in the workspace when nothing stops it. */
  readonly ownWork: ReadonlySet<string>;
  /** Processes that outlived the box. */
  readonly processes: readonly string[];
}

/** Everything that a box left on the host and that is not the attack's own work in its workspace. */
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
