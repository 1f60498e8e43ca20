import type { FieldPattern } from '../types.ts';
import { command, connects, instructs, permits, redirects, runs } from './row.ts';

/**
 * Servers of the Model Context Protocol below a key: each client has its own spelling, and any further key of a server
 * is shown as well.
 */
export function mcpServers(key: string): readonly FieldPattern[] {
  return [
    ...command(`${key}.*.command`, `${key}.*.command.**`, `${key}.*.args.**`, `${key}.*.cwd`),
    ...runs(`${key}.*.env.*`, `${key}.*.environment.*`, `${key}.*.envFile`, `${key}.*.headersHelper`),
    ...connects(
      `${key}.*.url`,
      `${key}.*.httpUrl`,
      `${key}.*.serverUrl`,
      `${key}.*.headers.*`,
      `${key}.*.http_headers.*`,
    ),
    ...permits(
      `${key}.*.trust`,
      `${key}.*.alwaysAllow.**`,
      `${key}.*.autoApprove.**`,
      `${key}.*.enabled`,
      `${key}.*.disabled`,
    ),
    ...runs(`${key}.**`),
  ];
}

/** Handlers of an agent's events below a key. */
export function hooks(key: string): readonly FieldPattern[] {
  return [
    ...command(`${key}.**.command`, `${key}.**.bash`, `${key}.**.args.**`),
    ...connects(`${key}.**.url`),
    ...instructs(`${key}.**.prompt`),
    ...runs(`${key}.**`),
  ];
}

/** JSON editors fetch it as soon as the file is opened (Mindgard 3.3). */
export const schema: readonly FieldPattern[] = redirects('$schema');

/** Keys of whatever agent that nobody has described yet: settings widen or narrow what is permitted. */
export const anyOther: readonly FieldPattern[] = permits('**');

/**
 * Front matter of Markdown that agents read, and lines of it that are carried out or loaded: `extract/markdown.ts`
 * names them.
 */
export const frontMatter: readonly FieldPattern[] = [
  ...hooks('front.hooks'),
  ...mcpServers('front.mcpServers'),
  ...mcpServers('front.mcp-servers'),
  ...command('front.command', 'command.*'),
  ...permits(
    'front.allowed-tools.**',
    'front.allowedTools.**',
    'front.tools.**',
    'front.permission.**',
    'front.permissionMode',
    'front.disable-model-invocation',
    'front.user-invocable',
  ),
  { path: 'import.*', effect: 'instructs', names: 'script' },
  ...instructs(
    'front.model',
    'front.agent',
    'front.alwaysApply',
    'front.applyTo',
    'front.globs.**',
    'front.paths.**',
    'front.inclusion',
    'front.trigger',
    'front.skills.**',
    'text',
  ),
];
