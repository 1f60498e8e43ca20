/**
 * Imports from the shell room about tools. Most sessions read no command, and the tables load slower than a policy. So
 * built programs load them on first use: see `toolsWhenAsked` in scripts/build.ts, which must name the same functions.
 */
export { canonicalArguments } from '../../shell/tools/canonical-arguments.ts';
export { toolFor } from '../../shell/tools/tool-for.ts';
