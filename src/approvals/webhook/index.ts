/**
 * A service that is told of questions and may answer them. It is spoken to, never the other way: nothing listens here. What it says
 * counts only if it is signed, to this question, and in time.
 */
export { webhookChannel } from './webhook-channel.ts';
