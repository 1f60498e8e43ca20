export interface Decoded {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly operand: number;
}

export function decode(bytes: Uint8Array): readonly Decoded[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 8 }, (_, index) => ({
    code: view.getUint16(index * 8, true),
    yes: view.getUint8(index * 8 + 2),
    no: view.getUint8(index * 8 + 3),
    operand: view.getUint32(index * 8 + 4, true),
  }));
}
