import { invalidCall } from '../failure.ts';
import { objectOf, stringOf } from '../json.ts';
import type { HookCall, HookReply, JsonObject } from '../types.ts';

/** One JSON object on stdout. */
export function say(message: JsonObject): HookReply {
  return { stdout: `${JSON.stringify(message)}\n`, stderr: '', status: 0 };
}

/** The agent goes on as it would without a hook. */
export const silence: HookReply = { stdout: '', stderr: '', status: 0 };

/** What every agent with hooks understands, also where nobody knows what it asked. */
export function block(reason: string): HookReply {
  return { stdout: '', stderr: `${reason}\n`, status: 2 };
}

/** The members that Claude Code, Codex and Gemini CLI have in common. */
export function decodeCall(message: JsonObject, moments: Readonly<Record<string, HookCall['moment']>>): HookCall {
  const event = stringOf(message, 'hook_event_name');
  const moment = Object.hasOwn(moments, event) ? moments[event] : undefined;
  if (moment === undefined) throw invalidCall(`Holdfast answers ${Object.keys(moments).join(', ')}, and was asked about ${JSON.stringify(event.slice(0, 80))}`);
  const cwd = stringOf(message, 'cwd');
  if (!cwd.startsWith('/')) throw invalidCall('expected an absolute path as cwd');
  return { moment, event, tool: stringOf(message, 'tool_name'), input: objectOf(message, 'tool_input'), cwd, ...(moment === 'after' ? { result: message['tool_response'] } : {}) };
}

/** A result as one text, for agents that take nothing else in its place. */
export function resultText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}
