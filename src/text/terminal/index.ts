/** Terminal escapes: a state machine over chunks, and what is shown in the place of what a terminal would have done. */
export { filterTerminal, type TerminalAudience, TerminalFilter, type TerminalFilterOptions } from './filter.ts';
