/**
 * What the shell room knows of tools. Most sessions read no command, and the tables take longer to load than a policy
 * does: built programs load them when they are first asked, see `toolsWhenAsked` in scripts/build.ts, which has to name
 * the same.
 */
export { canonicalArguments } from '../../shell/tools/canonical-arguments.ts';
export { toolFor } from '../../shell/tools/tool-for.ts';
