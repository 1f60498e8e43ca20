/**
 * The pure part of the Windows backend: the steps of a launcher for Windows, as data. It is generated, not run, because
 * this project has no Windows machine. So it is not a `Backend`, and `holdfast plan` only prints it.
 */
export { describeWindows } from './describe.ts';
