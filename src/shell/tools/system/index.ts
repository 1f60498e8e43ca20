/**
 * Programs that show or change the machine. Specifications and their refinements only: nothing is looked up on the
 * machine.
 */
export { systemTools } from './services.ts';
