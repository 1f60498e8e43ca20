import { isObject, stringOf } from '../json.ts';
import { geminiTools } from '../tools/gemini.ts';
import type { Dialect, HookAnswer, HookCall, HookReply, JsonObject } from '../types.ts';
import { decodeCall, resultText, say, silence } from './reply.ts';

/** Gemini CLI 0.61. Source: `docs/hooks/reference.md` of the package. */
export const gemini: Dialect = {
  tools: geminiTools,
  decode: (message) => ({ ...decodeCall(message, { BeforeTool: 'before', AfterTool: 'after' }), ...mcpOf(message) }),
  encode: (_call, answer) => encode(answer),
};

/** The name alone says too little: servers and tools have the same sign in theirs as stands between them, and long ones are cut. */
function mcpOf({ mcp_context: context }: JsonObject): Pick<HookCall, 'mcp'> {
  return isObject(context) ? { mcp: { server: stringOf(context, 'server_name'), tool: stringOf(context, 'tool_name') } } : {};
}

function encode(answer: HookAnswer): HookReply {
  switch (answer.kind) {
    case 'pass':
      return silence;
    // A hook of Gemini CLI cannot ask.
    case 'ask':
    case 'deny':
      return say({ decision: 'deny', reason: answer.reason });
    // The box asks, outside of the agent.
    case 'rewrite':
      return say({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: answer.input } });
    case 'replace':
      return say({ decision: 'deny', reason: `${answer.note}\n${resultText(contentOf(answer.result))}` });
  }
}

/** Of `{ llmContent, returnDisplay }` the model reads the first. */
function contentOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'llmContent' in result ? result.llmContent : result;
}
