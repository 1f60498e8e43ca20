/**
 * Notifications of the desktop, which say that something waits and where to answer. They have no power: an answer may not come from
 * here.
 */
export { desktopChannel } from './desktop-channel.ts';
export { runNotifier } from './run-notifier.ts';
