import { opcodes } from '../../../credentials/index.ts';
import { createMessageEditor, type MessageFrame, type Unread } from '../../../llm/index.ts';
import { longestContent } from '../read-content.ts';
import type { Answers } from './answers.ts';
import { type Brought, isControlFrame, joined, textFrame } from './pass-frames.ts';

/** What a server says: each message is an event of an answer. What is no text goes on as it is; what is too long to look into ends the WebSocket. */
export function serverMessages(answers: Answers): (frame: MessageFrame, of: number) => Brought {
  let unread: Unread | undefined;
  const editor = createMessageEditor((text) => answers.edit(text), { limit: longestContent, onUnread: (why) => void (unread = why) });
  return (frame, of) => {
    if (isControlFrame(frame)) return { onward: frame.opcode === opcodes.close ? [...answers.rest().map(textFrame), frame] : [frame] };
    // Clients read JSON from binary messages too.
    const frames = editor.push(of === opcodes.binary && frame.opcode === opcodes.binary ? { ...frame, opcode: opcodes.text } : frame);
    if (unread === 'too-long') return { ending: { status: 1009, reason: 'A message of the server is longer than what is looked into.' } };
    return { onward: joined(frames, of) };
  };
}
