import type { ToolTable } from '../types.ts';
import { inert } from './claude.ts';

/** Source: codex-cli 0.169.0. Its hooks call every way to run a command `Bash`. */
export const codexTools: ToolTable = {
  mcp: { start: 'mcp__', between: '__' },
  rows: {
    Bash: { kind: 'command', member: 'command', members: 'command description' },
    apply_patch: { kind: 'patch', member: 'command', members: 'command' },
    view_image: { kind: 'files', use: 'read', paths: 'path', members: 'path detail' },
    ...inert('update_plan request_user_input spawn_agent Agent send_input send_message wait_agent wait close_agent resume_agent followup_task list_agents get_goal create_goal update_goal'),
    // As its hooks are told of tools that a model sees in a namespace.
    ...inert('multi_agent_v1spawn_agent multi_agent_v1send_input multi_agent_v1wait_agent multi_agent_v1close_agent multi_agent_v1resume_agent'),
  },
};
