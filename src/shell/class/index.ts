/**
 * The most that a command line can do, in one of seven words. The classes, the bounds, and further effects of tools are
 * tables. `classOf` reads an analysis by them and looks nothing up.
 */
export { classOf, type ClassReason, type LineClass } from './class-of.ts';
export { type CommandClass, commandClasses } from './command-class.ts';
export type { ClassPlace } from './path-class.ts';
