/**
 * What a staged layer changed: compares each upper directory with the host as it is now. Only reads, through open
 * directories, so that a box that still runs cannot lead it elsewhere.
 *
 * Nothing that writes enters here, nor anything that understands a policy: a `Judge` is handed in.
 */
export { changesOf, type ChangesOptions } from './changes-of.ts';
export type { Judge, JudgedName } from './judge.ts';
export { openPlace } from './place.ts';
export { withFileBeneath } from './regular-file.ts';
