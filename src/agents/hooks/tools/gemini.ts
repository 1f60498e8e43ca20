import type { ToolTable } from '../types.ts';
import { inert } from './claude.ts';

/** Source: `docs/reference/tools.md` and the declarations that Gemini CLI 0.61.0 sends to a model. */
export const geminiTools: ToolTable = {
  mcp: { start: 'mcp_', between: '_' },
  rows: {
    run_shell_command: { kind: 'command', member: 'command', members: 'command description dir_path is_background delay_ms wait_for_previous' },
    read_file: { kind: 'files', use: 'read', paths: 'file_path', members: 'file_path start_line end_line wait_for_previous' },
    write_file: { kind: 'files', use: 'write', paths: 'file_path', members: 'file_path content wait_for_previous' },
    replace: { kind: 'files', use: 'write', paths: 'file_path', members: 'file_path instruction old_string new_string allow_multiple expected_replacements wait_for_previous' },
    list_directory: { kind: 'files', use: 'tree', paths: 'dir_path', members: 'dir_path ignore file_filtering_options wait_for_previous' },
    glob: { kind: 'files', use: 'tree', paths: 'dir_path', patterns: 'pattern', members: 'pattern dir_path case_sensitive respect_git_ignore respect_gemini_ignore wait_for_previous' },
    grep_search: { kind: 'files', use: 'tree', paths: 'dir_path', patterns: 'include_pattern', members: 'pattern dir_path include_pattern exclude_pattern names_only case_sensitive fixed_strings context after before no_ignore max_matches_per_file total_max_matches wait_for_previous' },
    read_many_files: { kind: 'files', use: 'tree', paths: '', patterns: 'include', members: 'include exclude recursive useDefaultExcludes file_filtering_options wait_for_previous' },
    // Into `GEMINI.md` of the home directory, which every later session takes for instructions.
    save_memory: { kind: 'refused', reason: 'what it keeps is read as instructions by every later session: write it into a file of the workspace' },
    web_fetch: { kind: 'urls', urls: 'url', prose: 'prompt', members: 'prompt url wait_for_previous' },
    ...inert('google_web_search update_topic enter_plan_mode exit_plan_mode invoke_agent ask_user write_todos activate_skill get_internal_docs complete_task list_mcp_resources read_mcp_resource list_background_processes read_background_output'),
    ...inert('tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize'),
  },
};
