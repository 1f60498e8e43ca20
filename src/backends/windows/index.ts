/**
 * The Windows backend's pure part: what a launcher for Windows would do for a plan, as data. Generated, not run: there
 * is no Windows among the machines of this project, so nothing here is a `Backend`, and `holdfast plan` only prints it.
 */
export { describeWindows } from './describe.ts';
