import { matchesGlob } from '../../llm/index.ts';
import type { LlmSettings } from '../../policy/index.ts';

/**
 * Tools of well-known agents whose arguments go to other machines, in lower case: of Claude Code, Codex, Gemini CLI, OpenCode, Crush, Amp
 * and Cline, as their sources name them in November 2026. Where a tool of MCP runs nobody can tell by its name.
 */
const known: readonly string[] = [
  'webfetch', 'websearch', 'web_fetch', 'web_search', 'google_web_search', 'codesearch', 'fetch', 'agentic_fetch', 'sourcegraph', 'read_web_page', 'browser_action',
  'mcp_*', 'use_mcp_tool', 'access_mcp_resource',
];

/** No tool of an agent has a longer name. */
const longest = 256;

/** Whether the arguments of a tool go to another machine, as far as its name tells. What a policy calls remote is. */
export function isRemoteTool(name: string, { tools: { remote, local } }: Pick<LlmSettings, 'tools'>): boolean {
  const isAmong = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchesGlob(pattern, name));
  return name.length > longest || isAmong(remote) || (isAmong(known) && !isAmong(local));
}

const somewhere = /^[\s\p{Cc}]*(?:[a-z][\w+.-]*:\/\/|(?:https?|wss?|ftp):|mailto:|[\w.-]+@[\w.-]+:)[^ ]*$/iu;
/** Attack: `http://localhost:1@evil.example/` and `http://localhost.evil.example/` are no URLs of this machine. */
const here = /^[\s\p{Cc}]*(?:file:|[a-z][\w+.-]*:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?[/?#])/iu;
/** Attack: so many blanks that nothing else is left of the beginning that is known. What reads URLs drops them. */
const blanks = /^[\s\p{Cc}]{40,}[^ ]*$/u;
/** Attack: what reads URLs leaves these out wherever they stand, and goes on. Source: WHATWG URL §4.4. */
const leftOut = /[\t\n\r]/gu;

/** Whether a string that begins so is a URL, a git remote or a recipient on another machine. */
export function leadsElsewhere(begin: string): boolean {
  const url = begin.replaceAll(leftOut, '');
  return blanks.test(begin) || (somewhere.test(url) && !here.test(url));
}
