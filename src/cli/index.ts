/**
 * The command-line room: one file per subcommand, each a thin edge over the library.
 *
 * A command parses options, calls the library and prints. Decisions, file formats and state belong elsewhere: whatever a
 * command does, a library user can do.
 */
export { commandTable } from './table.ts';
export { runCommand } from './main.ts';
