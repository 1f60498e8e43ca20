/**
 * The Seatbelt backend's pure part: the profile of a plan for macOS, and the words that start a command under it.
 * Generated, not run: there is no Mac among the machines of this project, so nothing here is a `Backend`, and `holdfast
 * plan` only prints it.
 */
export { seatbeltCommand } from './profile.ts';
export { describeProfile } from './profile.ts';
export { seatbeltProfile, type SeatbeltOptions } from './profile.ts';
