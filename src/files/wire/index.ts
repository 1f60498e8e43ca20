/**
 * The wire between the supervisor and `holdfast-files`: requests are encoded, replies are decoded, as bytes and nothing else.
 *
 * Frames are u32 length of what follows, u32 id, u8 kind, payload; little-endian; the same numbers stand in
 * `native/src/files/protocol.h`. What comes from the worker comes from inside the box: whatever is not exactly what the
 * protocol says is HF_FILES_PROTOCOL, and the reader is of no use afterwards. No streams, processes or policies in here.
 */
export { encodeCancel, encodeRequest } from './encode-request.ts';
export { ReplyReader } from './reply-reader.ts';
export { largestFrame, type Reply } from './reply.ts';
