/**
 * The seccomp room: which system calls a box may make, as a reviewed list with the reason for each entry, and the small
 * assembler that turns the list into the program that the kernel runs.
 *
 * Pure: no I/O, nothing of the host. To change what is closed, change `rules/`, never the compiler. A number table is
 * extended only together with a review of the calls that it adds.
 */
export type { Architecture } from './architecture.ts';
export { describeSeccomp, type SeccompRow } from './describe.ts';
export { notifyFilter } from './notify.ts';
export { seccompFilter } from './filter.ts';
