/**
 * What a person reads of a change: its content as a unified diff, with modes, links and everything that a box may have
 * written made visible. Only reads, through open directories.
 *
 * No terminal and no colours of one enter here; neither does anything that writes.
 */
export { contentDiff } from './content-diff.ts';
export { describeChange, type Line } from './describe-change.ts';
export { gitSummary } from './git-summary.ts';
export { visibleName, visibleText } from './visible-text.ts';
