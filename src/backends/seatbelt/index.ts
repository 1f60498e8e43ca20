/**
 * The Seatbelt backend's pure part: a plan's profile for macOS, and the words that start a command under it. It is
 * generated, not run: this project has no Mac. So nothing here is a `Backend`, and `holdfast plan` only prints it.
 */
export { seatbeltCommand } from './profile.ts';
export { describeProfile } from './profile.ts';
export { seatbeltProfile, type SeatbeltOptions } from './profile.ts';
