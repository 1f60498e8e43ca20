/**
 * Hooks of coding agents. Each hook call, in the agent's own form, becomes requests of the policy. The decision goes
 * back in the same form, and into the journal. A dialect is a file of `dialects/`, the tools of an agent a table of
 * `tools/`.
 *
 * Rules, boxes and settings of agents may not enter. An unknown tool, an unknown member of its input, and a field of
 * another type are refused. The caller makes no difference: it is a process of its own, or the server.
 */
export { answerHook, refuseHook } from './answer-hook.ts';
export { openHookHost } from './open-host.ts';
export type { Fresh } from './fresh-decisions.ts';
export type { AgentName, HookReply } from './types.ts';
