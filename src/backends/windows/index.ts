/**
 * The Windows backend's pure part: the steps of a launcher for Windows, as data. It is generated, not run: this project
 * has no Windows machine. So nothing here is a `Backend`, and `holdfast plan` only prints it.
 */
export { describeWindows } from './describe.ts';
