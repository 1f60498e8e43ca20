import type { Detected, Detector, Masker } from '../masking/index.ts';

/** What one direction of a WebSocket is looked at with. */
export interface Gate {
  /** The next bytes of a message: what of them may go on. */
  data(bytes: Buffer): Detected;
  /** The message is complete: what was kept back of it. */
  endOfMessage(): Detected;
  /** What a control frame carries, as a whole. Nothing is kept back. */
  control(bytes: Buffer): Detected;
}

/** Lets nothing out that the detector finds. */
export function detectingGate(detector: Detector): Gate {
  const detecting = detector.open();
  return {
    data: (bytes) => detecting.push(bytes),
    endOfMessage: () => detecting.end(),
    control(bytes) {
      const hit = detector.find(bytes);
      return hit === undefined ? clear(bytes) : { kind: 'hit', hit };
    },
  };
}

/** Lets everything in, without its secrets. */
export function maskingGate(masker: Masker, onMasked: (credential: string) => void): Gate {
  const masking = masker.open(onMasked);
  return {
    data: (bytes) => clear(masking.push(bytes)),
    endOfMessage: () => clear(masking.end()),
    control: (bytes) => clear(Buffer.from(masker.maskText(bytes.toString('latin1'), onMasked), 'latin1')),
  };
}

/** Lets everything pass as it is. */
export const openGate: Gate = { data: clear, endOfMessage: () => clear(Buffer.alloc(0)), control: clear };

function clear(bytes: Buffer): Detected {
  return { kind: 'clear', bytes };
}
