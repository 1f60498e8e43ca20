/** Links, images and tags that would carry data away: what a rich client may show of a text that somebody else wrote. */
export { defuseOutbound } from './defuse.ts';
export { OutboundStream, type OutboundStreamOptions } from './stream.ts';
export type { OutboundOptions } from './types.ts';
