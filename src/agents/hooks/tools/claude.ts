import type { ToolTable } from '../types.ts';

const outside = 'it starts programs outside of the box; use Bash';

/** Source: `sdk-tools.d.ts` of `@anthropic-ai/claude-code` 2.1.330, and the tools that it offers to a model. */
export const claudeTools: ToolTable = {
  mcp: { start: 'mcp__', between: '__' },
  rows: {
    Bash: {
      kind: 'command',
      member: 'command',
      members: 'command timeout description run_in_background dangerouslyDisableSandbox',
    },
    Read: { kind: 'files', use: 'read', paths: 'file_path', members: 'file_path offset limit pages allow_large' },
    Write: { kind: 'files', use: 'write', paths: 'file_path', members: 'file_path content' },
    Edit: { kind: 'files', use: 'write', paths: 'file_path', members: 'file_path old_string new_string replace_all' },
    MultiEdit: { kind: 'files', use: 'write', paths: 'file_path', members: 'file_path edits' },
    NotebookEdit: {
      kind: 'files',
      use: 'write',
      paths: 'notebook_path',
      members: 'notebook_path cell_id new_source cell_type edit_mode',
    },
    NotebookRead: { kind: 'files', use: 'read', paths: 'notebook_path', members: 'notebook_path cell_id' },
    Glob: { kind: 'files', use: 'tree', paths: 'path', patterns: 'pattern', members: 'pattern path' },
    Grep: {
      kind: 'files',
      use: 'tree',
      paths: 'path',
      patterns: 'glob',
      members: 'pattern path glob output_mode -A -B -C -n -i -o context type head_limit offset multiline',
    },
    LS: { kind: 'files', use: 'tree', paths: 'path', members: 'path ignore' },
    WebFetch: { kind: 'urls', urls: 'url', members: 'url prompt offset' },
    Monitor: { kind: 'refused', reason: outside },
    PowerShell: { kind: 'refused', reason: outside },
    REPL: { kind: 'refused', reason: outside },
    Workflow: { kind: 'refused', reason: outside },
    LSP: { kind: 'refused', reason: 'it starts language servers outside of the box' },
    ...inert(
      'Agent Task TodoWrite AskUserQuestion EnterPlanMode ExitPlanMode Skill SlashCommand ToolSearch WebSearch BashOutput KillShell KillBash TaskOutput TaskStop TaskCreate TaskGet TaskUpdate TaskList',
    ),
    ...inert(
      'ListAgents SendMessage ReportFindings ScheduleWakeup CronList CronDelete DeferredToolPlaceholder StructuredOutput ListMcpResourcesTool ReadMcpResourceTool',
    ),
  },
};

/** Returns rows for the names in one text. */
export function inert(names: string): ToolTable['rows'] {
  return Object.fromEntries(names.split(' ').map((name) => [name, { kind: 'inert' }]));
}
