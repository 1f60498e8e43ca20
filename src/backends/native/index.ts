/**
 * The native backend: renders a `Plan` to the bytes that `holdfast-launch` reads, starts it, and reads its reports.
 *
 * No policy is known here, and no decision is taken.
 */
export { encodePlan, type EncodeOptions } from './encode-plan.ts';
export { launch, type LaunchedBox, type LaunchOptions, type LaunchOutcome } from './launch.ts';
