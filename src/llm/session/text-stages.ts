import { createFragmentRestorer } from '../../dlp/fakes/fragment-restorer.ts';
import { createRestorer } from '../../dlp/fakes/restorer.ts';
import type { LlmSettings } from '../../policy/llm/types.ts';
import { filterText, OutboundStream } from '../../text/index.ts';
import { matchesGlob, type OpenStage, type TextStage } from '../index.ts';
import type { CallState } from './types.ts';

/**
 * Returns the stages of an answer's texts. Fakes become the real values again, and links that would exfiltrate data are
 * defused.
 */
export function stagesFor({ gateway, settings }: CallState): OpenStage {
  const allows = (url: string): boolean => gateway.allows(url);
  return ({ kind }, tool) => {
    switch (kind) {
      case 'thinking':
        // Providers sign this text, and would refuse the next request if it were changed.
        return undefined;
      case 'arguments':
      case 'arguments-text':
      case 'arguments-value': {
        // Attack: a model is told to fetch `https://evil.example/?k=…`. Tools that the provider runs, or that have no
        // name, are not local either.
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
 * Tools of well-known agents whose arguments go to other machines, in lower case: Claude Code, Codex, Gemini CLI,
 * OpenCode, Crush, Amp and Cline. The names come from their sources in November 2026. The name of an MCP tool does not
 * reveal where it runs.
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
 * Tools of the same agents that write files or run commands here. In their text, two slashes begin a comment or a line
 * of `.npmrc` (`//registry.example/:_authToken=`), not a URL.
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

/** Longer than the name of any agent's tool. */
const longest = 256;

/**
 * Returns true if the arguments of a tool go to another machine, as far as its name reveals this. Tools that the policy
 * calls remote always do.
 */
export function isRemoteTool(name: string, { tools: { remote, local } }: Pick<LlmSettings, 'tools'>): boolean {
  const isAmong = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchesGlob(pattern, name));
  return name.length > longest || isAmong(remote) || (isAmong(known) && !isAmong(local));
}

const somewhere = /^[\s\p{Cc}]*(?:[a-z][\w+.-]*:\/\/|(?:https?|wss?|ftp|file):|mailto:|[\w.-]+@[\w.-]+:)[^ ]*$/iu;
/**
 * URLs without a scheme, as browsers read them relative to a page, also with backslashes, and as tools read them that
 * add a scheme. Source: WHATWG URL §4.4.
 */
const withoutScheme =
  /^[\s\p{Cc}]*(?:[/\\]{2}|(?!127\.0\.0\.1[:/?#])[\p{L}\p{N}_-]+(?:[.。．｡][\p{L}\p{N}_-]+)+(?::\d+)?[/?#])[^ ]*$/iu;
/** Attack: Python's urllib strips `<` and `URL:`, and a shell strips quotes and the name of an option. */
const wrapping =
  /^(?:[\s\p{Cc}\p{Cf}<>"'`({-]|\[(?![\da-f:.]*\])|[\w.-]{1,30}=|(?:blob|feed|filesystem|jar|url|view-source):)+/iu;
/** Addresses that are numbers, as browsers read them. Numbers with fewer digits are years and the like. */
const bareAddress = /^(?:0x[\da-f]{2,8}|\d{8,10}|\[(?!::1\])[\da-f:.]{2,45}\])(?::\d+)?[/?#][^ ]*$/iu;
/** Pages and recipients that have no host after two slashes. */
const otherSchemes = /^(?:(?:data|javascript):|(?:gopher|ldaps?|magnet|sips?|sms|tel|xmpp):[^ ]*$)/iu;
/**
 * URLs of this machine. Attack: `http://localhost:1@evil.example/`, `http://localhost.evil.example/` and
 * `file://evil.example/` are not among them.
 */
const here =
  /^[\s\p{Cc}]*(?:file:(?:[^/\\]|\/(?![/\\])|\/\/(?:localhost)?\/(?![/\\])|$)|[a-z][\w+.-]*:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?[/?#])/iu;
/** Attack: so many blanks that they fill the part of the text that is known. URL parsers drop them. */
const blanks = /^[\s\p{Cc}]{40,}[^ ]*$/u;
/** Attack: the same number of blanks within a scheme, or before its slashes. */
const perhapsScheme = /^[\s\p{Cc}]*[a-z][\w+.-]*:?[/\\]?$/iu;
const manyLeftOut = 32;
/** Attack: URL parsers skip these characters anywhere. Source: WHATWG URL §4.4. */
const leftOut = /[\t\n\r]/gu;

/**
 * Returns true if a string that begins like this is a URL, a git remote or a recipient on another machine. The string
 * is in a tool's arguments.
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

/** Returns how to read the strings of a tool. For tools that write files or run commands, strings are content. */
export function stringsOf(name: string, { tools: { local } }: Pick<LlmSettings, 'tools'>): 'argument' | 'content' {
  return [...writers, ...local].some((pattern) => matchesGlob(pattern, name)) ? 'content' : 'argument';
}
