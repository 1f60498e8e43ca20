/**
 * Subcommands that change something or show all of it, in their own bundle: `trust status` loads no journal, diffs or
 * questions.
 */
export { trustAddCommand } from './add.ts';
export { trustDiffCommand } from './diff.ts';
export { trustImportCommand } from './import.ts';
export { trustRemoveCommand } from './remove.ts';
