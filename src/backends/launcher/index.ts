/**
 * The wire between the supervisor and `holdfast-launch`: plans are encoded, reports are decoded, the process is started.
 *
 * Both backends that use the launcher share it; nothing else may speak this protocol.
 */
export { encodeBox, encodePlan } from './encode-plan.ts';
export { launch } from './launch.ts';
export { Nursery } from './nursery.ts';
export { scanProtected } from './scan.ts';
