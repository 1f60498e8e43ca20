import { invalidCall } from '../failure.ts';
import { objectOf, stringOf } from '../json.ts';
import { opencodeTools } from '../tools/opencode.ts';
import type { Dialect, HookAnswer, HookCall, HookReply, JsonObject } from '../types.ts';
import { resultText, say } from './reply.ts';

/** What our plug-in for OpenCode 1.18 says and hears: OpenCode itself has functions, no protocol. */
export const opencode: Dialect = { tools: opencodeTools, decode, encode: (_call, answer) => encode(answer) };

const moments: Readonly<Record<string, HookCall['moment']>> = { 'tool.execute.before': 'before', 'tool.execute.after': 'after' };

function decode(message: JsonObject): HookCall {
  const event = stringOf(message, 'event');
  const moment = Object.hasOwn(moments, event) ? moments[event] : undefined;
  const cwd = stringOf(message, 'directory');
  if (moment === undefined || !cwd.startsWith('/')) throw invalidCall('the plug-in is of another version');
  return { moment, event, tool: stringOf(message, 'tool'), input: objectOf(message, 'args'), cwd, ...(moment === 'after' ? { result: stringOf(message, 'output') } : {}) };
}

/** `decision` is always there: an answer without it is none. */
function encode(answer: HookAnswer): HookReply {
  switch (answer.kind) {
    case 'pass':
      return say({ decision: 'allow' });
    case 'ask':
    case 'deny':
      return say({ decision: 'deny', reason: answer.reason });
    case 'rewrite':
      return say({ decision: 'allow', args: answer.input });
    case 'replace':
      return say({ decision: 'allow', output: `${answer.note}\n${resultText(answer.result)}` });
  }
}
