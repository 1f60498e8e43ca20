import { invalidCall, isObject, objectOf, stringOf } from '../json.ts';
import { inert } from '../tools/claude.ts';
import type { HookDialect, HookAnswer, HookCall, HookReply, JsonObject, ToolTable } from '../types.ts';

/** Source: `docs/reference/tools.md` and the declarations that Gemini CLI 0.61.0 sends to a model. */
export const geminiTools: ToolTable = {
  mcp: { start: 'mcp_', between: '_' },
  rows: {
    run_shell_command: {
      kind: 'command',
      member: 'command',
      members: 'command description dir_path is_background delay_ms wait_for_previous',
    },
    read_file: {
      kind: 'files',
      use: 'read',
      paths: 'file_path',
      members: 'file_path start_line end_line wait_for_previous',
    },
    write_file: { kind: 'files', use: 'write', paths: 'file_path', members: 'file_path content wait_for_previous' },
    replace: {
      kind: 'files',
      use: 'write',
      paths: 'file_path',
      members: 'file_path instruction old_string new_string allow_multiple expected_replacements wait_for_previous',
    },
    list_directory: {
      kind: 'files',
      use: 'tree',
      paths: 'dir_path',
      members: 'dir_path ignore file_filtering_options wait_for_previous',
    },
    glob: {
      kind: 'files',
      use: 'tree',
      paths: 'dir_path',
      patterns: 'pattern',
      members: 'pattern dir_path case_sensitive respect_git_ignore respect_gemini_ignore wait_for_previous',
    },
    grep_search: {
      kind: 'files',
      use: 'tree',
      paths: 'dir_path',
      patterns: 'include_pattern',
      members:
        'pattern dir_path include_pattern exclude_pattern names_only case_sensitive fixed_strings context after before no_ignore max_matches_per_file total_max_matches wait_for_previous',
    },
    read_many_files: {
      kind: 'files',
      use: 'tree',
      paths: '',
      patterns: 'include',
      members: 'include exclude recursive useDefaultExcludes file_filtering_options wait_for_previous',
    },
    // Writes to `GEMINI.md` in the home directory, which every later session reads as instructions.
    save_memory: {
      kind: 'refused',
      reason: 'every later session reads its notes as instructions: write the note into a file of the workspace',
    },
    web_fetch: { kind: 'urls', urls: 'url', prose: 'prompt', members: 'prompt url wait_for_previous' },
    ...inert(
      'google_web_search update_topic enter_plan_mode exit_plan_mode invoke_agent ask_user write_todos activate_skill get_internal_docs complete_task list_mcp_resources read_mcp_resource list_background_processes read_background_output',
    ),
    ...inert(
      'tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize',
    ),
  },
};

/** Gemini CLI 0.61. Source: `docs/hooks/reference.md` of the package. */
export const geminiHooks: HookDialect = {
  tools: geminiTools,
  decode: (message) => ({ ...decodeCall(message, { BeforeTool: 'before', AfterTool: 'after' }), ...mcpOf(message) }),
  encode: (_call, answer) => encode(answer),
};

/**
 * The name alone is ambiguous: server and tool names may contain the separator between them, and long names are cut.
 */
function mcpOf({ mcp_context: context }: JsonObject): Pick<HookCall, 'mcp'> {
  return isObject(context)
    ? { mcp: { server: stringOf(context, 'server_name'), tool: stringOf(context, 'tool_name') } }
    : {};
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

/** The model reads `llmContent` of `{ llmContent, returnDisplay }`. */
function contentOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'llmContent' in result ? result.llmContent : result;
}

/** One JSON object on stdout. */
export function say(message: JsonObject): HookReply {
  return { stdout: `${JSON.stringify(message)}\n`, stderr: '', status: 0 };
}

/** The agent goes on as without a hook. */
export const silence: HookReply = { stdout: '', stderr: '', status: 0 };

/** Blocks a call in a form that every agent with hooks understands, even if the call was not understood. */
export function block(reason: string): HookReply {
  return { stdout: '', stderr: `${reason}\n`, status: 2 };
}

/** Decodes the fields that Claude Code, Codex and Gemini CLI share. */
export function decodeCall(message: JsonObject, moments: Readonly<Record<string, HookCall['moment']>>): HookCall {
  const event = stringOf(message, 'hook_event_name');
  const moment = Object.hasOwn(moments, event) ? moments[event] : undefined;
  if (moment === undefined)
    throw invalidCall(
      `Holdfast answers ${Object.keys(moments).join(', ')}, but was called for ${JSON.stringify(event.slice(0, 80))}`,
    );
  const cwd = stringOf(message, 'cwd');
  if (!cwd.startsWith('/')) throw invalidCall('expected an absolute path as cwd');
  return {
    moment,
    event,
    tool: stringOf(message, 'tool_name'),
    input: objectOf(message, 'tool_input'),
    cwd,
    ...(moment === 'after' ? { result: message['tool_response'] } : {}),
  };
}

/** Returns a result as one text, for agents that accept no other replacement. */
export function resultText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}
