/** Ctrl-\ */
const key = 0x1c;

/** Finds two Ctrl-\ in a row in what is typed. One alone goes to the command, with the key after it. */
export class DetachKeys {
  #held: 'none' | 'one' = 'none';

  /** What of it is for the command, and whether the person leaves; what comes after that is nobody's. */
  push(bytes: Buffer): { readonly typed: Buffer; readonly wish: 'stay' | 'leave' } {
    const typed: number[] = [];
    for (const byte of bytes) {
      if (byte === key && this.#held === 'one') return { typed: Buffer.from(typed), wish: 'leave' };
      if (this.#held === 'one') typed.push(key);
      this.#held = byte === key ? 'one' : 'none';
      if (byte !== key) typed.push(byte);
    }
    return { typed: Buffer.from(typed), wish: 'stay' };
  }
}
