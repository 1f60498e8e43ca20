/**
 * The table of surfaces: which files of a repository could execute, redirect or speak to an agent, and where in them. Data
 * with sources, one file for each family of programs; rows that are more exact stand before those that take the rest.
 */
export { hiddenSurfaceNames } from './hidden-surface-names.ts';
export { surfaces } from './table.ts';
