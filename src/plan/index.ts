/**
 * The plan room: `policy + host facts → Plan`, as a pure function over data.
 *
 * Nothing here touches the host: no file system, no environment, no clock. What must be known of the host comes in as
 * facts; what shall happen goes out as a `Plan` that backends render. Backends, sessions and commands may not enter.
 */
export { wantedPaths } from './anchors.ts';
export { type CompileOptions, compilePlan, planDemands } from './compile.ts';
export type * from './facts.ts';
export { everyBox, type LevelName } from './levels.ts';
export { resolverFiles, resolverOverTcp } from './network.ts';
export type { StagedLayers } from './staged.ts';
export { sessionFile } from './session-file.ts';
export { systemDirectories } from './system-directories.ts';
export * from './types.ts';
