/**
 * The shell room: the effects of a command line as its text shows them. It lists programs, paths that are read or
 * written, and hosts. Pure: a text and a working directory go in, an `Analysis` comes out. Nothing is looked up on the
 * machine.
 *
 * Analysis decides questions and explanations, but the box enforces. Anything not understood is reported as an
 * `Opacity` with a reason: this room must never miss something silently. It uses no policies, file systems, processes
 * or clocks, because the load of the machine must not change a decision.
 */
export { analyse } from './analyse/analyse.ts';
export type { AnalyseOptions, StandardInput, ShellName } from './analyse/languages.ts';
export { classOf, type ClassReason, type LineClass } from './class/class-of.ts';
export type { ClassPlace } from './class/path-class.ts';
export { type CommandClass, commandClasses } from './class/command-class.ts';
export { explainAnalysis, type ExplainOptions, printableText, quotedWord } from './explain/explain.ts';
export {
  powershellProgram,
  readReport,
  type Report,
  type ReportedCommand,
  type ReportedWord,
  requestLine,
  scriptOf,
} from './powershell/script-of.ts';
export type {
  AnalysedInvocation,
  Analysis,
  Assignment,
  DynamicWord,
  Effects,
  GlobWord,
  HostEffect,
  Invocation,
  Opacity,
  PathEffect,
  Redirect,
  RunEffect,
  TimeSpan,
  StaticWord,
  Stdin,
  Word,
} from './types.ts';
