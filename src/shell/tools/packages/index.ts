/** Package managers of systems. Specifications and their refinements only: nothing is looked up on the machine. */
export { packagesTools } from './managers.ts';
