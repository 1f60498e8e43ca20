/** The other side does not keep to the protocol. Its message holds nothing that was sent. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}
