import type { ToolTable } from '../types.ts';
import { inert } from './claude.ts';

/** Source: the declarations that OpenCode 1.18.33 sends to a model. Tools of MCP servers have names that cannot be told from others: they go through `holdfast mcp`. */
export const opencodeTools: ToolTable = {
  rows: {
    bash: { kind: 'command', member: 'command', members: 'command timeout workdir description' },
    read: { kind: 'files', use: 'read', paths: 'filePath', members: 'filePath offset limit' },
    write: { kind: 'files', use: 'write', paths: 'filePath', members: 'filePath content' },
    edit: { kind: 'files', use: 'write', paths: 'filePath', members: 'filePath oldString newString replaceAll' },
    multiedit: { kind: 'files', use: 'write', paths: 'filePath', members: 'filePath edits' },
    apply_patch: { kind: 'patch', member: 'patchText', members: 'patchText' },
    patch: { kind: 'patch', member: 'patchText', members: 'patchText' },
    glob: { kind: 'files', use: 'tree', paths: 'path', patterns: 'pattern', members: 'pattern path' },
    grep: { kind: 'files', use: 'tree', paths: 'path', patterns: 'include', members: 'pattern path include' },
    list: { kind: 'files', use: 'tree', paths: 'path', members: 'path ignore' },
    webfetch: { kind: 'urls', urls: 'url', members: 'url format timeout' },
    lsp: { kind: 'refused', reason: 'it starts language servers outside of the box' },
    ...inert('skill task todowrite todoread question websearch codesearch plan_enter plan_exit invalid'),
  },
};
