/** Analyses in words for people. Decisions are not made here, and nothing that is quoted may repaint a terminal. */
export { explain, type ExplainOptions } from './explain.ts';
