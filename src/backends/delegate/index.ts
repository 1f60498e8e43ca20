/**
 * Lima and WSL2: a Linux beside this machine in which the same Holdfast runs. Nothing here is a `Backend`: a run is handed over to
 * the guest, whose own backend builds the box. Generated, not run: there is neither a Mac nor a Windows among the machines of this project.
 */
export { agreeWith } from './agree.ts';
export { delegate, exitStatus, planDelegation } from './delegate.ts';
export { delegateLabel, describeDelegation, describeGuest, describeInside } from './describe.ts';
export { findGuests, guestNamed, hasManager, withAutomount, type Guest } from './find-guests.ts';
export type { DelegatedOption, DelegatedRun } from './run.ts';
export { insideWsl } from './wsl/inside.ts';
