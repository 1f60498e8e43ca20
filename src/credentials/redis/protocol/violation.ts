/** A client does not keep to the protocol. Its message holds nothing that was sent, and is what Redis says itself where it says something. */
export class RespViolation extends Error {
  override readonly name = 'RespViolation';
}
