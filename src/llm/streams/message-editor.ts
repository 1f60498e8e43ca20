import type { EditorOptions, MessageEdit, MessageEditor, MessageFrame, Unread } from './types.ts';
import { utf8Text } from './utf8.ts';

const defaultLimit = 8 * 1024 * 1024;
/** Octets that each further frame of a message counts for, so that a million empty frames are not held. */
const frameCost = 64;
const opcodes = { continuation: 0x0, text: 0x1, firstControl: 0x8, close: 0x8 } as const;

/**
 * Changes the text messages in one direction of a WebSocket, as whole messages. Fragments wait for the last one.
 * Control frames, and frames of other messages, pass at once. Unchanged messages keep their frames, and a changed
 * message becomes one frame.
 *
 * `limit`: 8 MiB by default. Reports as `damaged`: a message that begins inside another one. Reports as `unfinished`: a
 * message in which the connection ended.
 */
export function createMessageEditor(
  edit: (text: string) => MessageEdit,
  { limit = defaultLimit, onUnread = () => {} }: EditorOptions = {},
): MessageEditor {
  let held: MessageFrame[] = [];
  let cost = 0;
  let isGathering = false;

  const take = (): readonly MessageFrame[] => {
    const frames = held;
    held = [];
    cost = 0;
    isGathering = false;
    return frames;
  };
  const giveUp = (why: Unread): readonly MessageFrame[] => {
    if (isGathering) onUnread(why);
    return take();
  };
  const gather = (frame: MessageFrame): readonly MessageFrame[] => {
    cost += frame.payload.length + (isGathering ? frameCost : 0);
    isGathering = true;
    held.push(frame);
    if (cost > limit) return giveUp('too-long');
    return frame.final ? settle(take()) : [];
  };
  const settle = (frames: readonly MessageFrame[]): readonly MessageFrame[] => {
    const text = utf8Text(Buffer.concat(frames.map(({ payload }) => payload)));
    if (text === undefined) {
      onUnread('not-utf8');
      return frames;
    }
    return settleMessage(frames, text, edit(text));
  };

  return {
    push(frame) {
      if (frame.opcode === opcodes.close) return [...giveUp('unfinished'), frame];
      if (frame.opcode >= opcodes.firstControl) return [frame];
      if (frame.opcode === opcodes.continuation) return isGathering ? gather(frame) : [frame];
      return [...giveUp('damaged'), ...(frame.opcode === opcodes.text ? gather(frame) : [frame])];
    },
    end: () => giveUp('unfinished'),
  };
}

function settleMessage(frames: readonly MessageFrame[], text: string, edit: MessageEdit): readonly MessageFrame[] {
  if (edit === 'same') return frames;
  if (edit === 'drop') return [];
  const { before = [], data = text } = edit;
  return [...before.map(textFrame), ...(data === text ? frames : [textFrame(data)])];
}

function textFrame(text: string): MessageFrame {
  return { opcode: opcodes.text, final: true, payload: Buffer.from(text) };
}
