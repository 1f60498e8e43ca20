/** Bytes that are no WebSocket frame, or not one that may stand there. What follows them means nothing any more. */
export class FrameViolation extends Error {
  override readonly name = 'FrameViolation';
}
