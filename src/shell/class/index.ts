/**
 * What a command line can do at most, in one of seven words. The classes, what is bounded, and what a tool does besides
 * its effects are tables; `classOf` reads an analysis by them and looks nothing up.
 */
export { classOf, type ClassReason, type LineClass } from './class-of.ts';
export { type CommandClass, commandClasses } from './command-class.ts';
export type { ClassPlace } from './path-class.ts';
