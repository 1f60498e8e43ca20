import { isUtf8 } from '../../src/dlp/json/testing/reference.ts';
import { createMessageEditor, type MessageFrame } from '../../src/llm/index.ts';
import { type Random, seeded } from '../differential/random.ts';
import { slowlyWithoutMarker, withoutMarker } from './marked-json.ts';
import { mutated, replacements } from './mutate.ts';
import { sseExchanges, streamOf } from './seeds.ts';
import type { Target } from './types.ts';

const firstControl = 8;
const close = 8;
const text = 1;

/**
 * WebSocket messages in frames with random cuts, and pings between them. Any bytes make frames: each has an octet for
 * its kind and two for its length.
 */
export const messages: Target = {
  name: 'messages of WebSockets',
  generate: (random) =>
    mutated(
      Buffer.concat(
        streamOf(random.pick(sseExchanges), random)
          .toString()
          .split('\n\n')
          .flatMap((each) => framesOf(each.replace(/^(?:event:.*\n)?data: ?/u, ''), random)),
      ),
      random,
    ),
  problemOf(bytes, seed) {
    const frames = readFrames(bytes);
    const random = seeded(seed);
    if (textOf(passed(frames, undefined)) !== textOf(frames) && !sameKinds(passed(frames, undefined), frames))
      return 'changed unasked';
    const replacement = random.pick(replacements);
    const limit = random.chance(0.3) ? 100 : 1_000_000;
    const edited = passed(frames, replacement, limit);
    if (limit < 1_000_000) return undefined;
    return JSON.stringify(messagesOf(edited)) ===
      JSON.stringify(messagesOf(frames).map((each) => wanted(each, replacement)))
      ? undefined
      : `not as it should be, with ${JSON.stringify(replacement)}`;
  },
  goOver: (bytes) => void passed(readFrames(bytes), 'x'),
};

function passed(
  frames: readonly MessageFrame[],
  replacement: string | undefined,
  limit = 1_000_000,
): readonly MessageFrame[] {
  const editor = createMessageEditor(
    (message) => (replacement === undefined ? 'same' : { data: withoutMarker(message, replacement) }),
    { limit },
  );
  return [...frames.flatMap((frame) => editor.push(frame)), ...editor.end()];
}

/** Control frames overtake frames of an unfinished text. Nothing else changes places. */
function sameKinds(after: readonly MessageFrame[], before: readonly MessageFrame[]): boolean {
  return [true, false].every(
    (isControl) =>
      textOf(after.filter(({ opcode }) => opcode >= firstControl === isControl)) ===
      textOf(before.filter(({ opcode }) => opcode >= firstControl === isControl)),
  );
}

function textOf(frames: readonly MessageFrame[]): string {
  return frames.map(({ opcode, final, payload }) => `${opcode} ${final} ${payload.toString('hex')}`).join('\n');
}

interface Message {
  readonly opcode: number;
  readonly isWhole: boolean;
  readonly hex: string;
}

/** Joins data frames by RFC 6455 §5.4. A frame that begins inside another, or that none began, stands alone. */
function messagesOf(frames: readonly MessageFrame[]): readonly Message[] {
  const all: Message[] = [];
  let open: { readonly opcode: number; hex: string } | undefined;
  const settle = (isWhole: boolean): void => {
    if (open !== undefined) all.push({ ...open, isWhole });
    open = undefined;
  };
  for (const { opcode, final, payload } of frames) {
    if (opcode === close) settle(false);
    if (opcode >= firstControl) continue;
    if (opcode !== 0) settle(false);
    if (opcode !== 0) open = { opcode, hex: '' };
    open ??= { opcode, hex: '' };
    open.hex += payload.toString('hex');
    if (final) settle(true);
  }
  settle(false);
  return all;
}

function wanted(message: Message, replacement: string): Message {
  const payload = Buffer.from(message.hex, 'hex');
  if (message.opcode !== text || !message.isWhole || !isUtf8(payload)) return message;
  return { ...message, hex: Buffer.from(slowlyWithoutMarker(payload.toString(), replacement)).toString('hex') };
}

function framesOf(message: string, random: Random): readonly Buffer[] {
  const payload = Buffer.from(message);
  const pieces: Buffer[] = [];
  for (let at = 0; at < payload.length; ) {
    const size = 1 + random.below(random.chance(0.5) ? 10 : payload.length);
    pieces.push(payload.subarray(at, at + size));
    at += size;
  }
  return pieces.flatMap((piece, index) => [
    frameOf(index === 0 ? text : 0, index === pieces.length - 1, piece),
    ...(random.chance(0.1) ? [frameOf(9, true, Buffer.from('ping'))] : []),
  ]);
}

function frameOf(opcode: number, final: boolean, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.of(opcode | (final ? 0x80 : 0), payload.length >> 8, payload.length & 0xff), payload]);
}

function readFrames(bytes: Buffer): readonly MessageFrame[] {
  const frames: MessageFrame[] = [];
  for (let at = 0; at + 3 <= bytes.length; ) {
    const end = at + 3 + bytes.readUInt16BE(at + 1);
    const first = bytes[at] ?? 0;
    frames.push({ opcode: first & 0xf, final: first >= 0x80, payload: bytes.subarray(at + 3, end) });
    at = end;
  }
  return frames;
}
