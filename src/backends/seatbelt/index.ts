/**
 * The pure part of the Seatbelt backend: a plan's profile for macOS, and the command line that starts a command under
 * it. It is generated, not run, because this project has no Mac. So it is not a `Backend`, and `holdfast plan` only
 * prints it.
 */
export { seatbeltCommand } from './profile.ts';
export { describeProfile } from './profile.ts';
export { seatbeltProfile, type SeatbeltOptions } from './profile.ts';
