import { loadsCode } from '../../shell/loads-code.ts';
import { normaliseHost } from '../normalise/host.ts';
import { normalisePath } from '../normalise/path.ts';
import { type Answer, builtinFile } from '../origin.ts';
import { commandPatternOf } from '../patterns/command-pattern.ts';
import { guardedLength } from '../patterns/guarded-length.ts';
import { pathPatternOf } from '../patterns/path-pattern.ts';
import { escapeWildcard } from '../patterns/wildcard.ts';
import type { ConnectRequest, FileRequest, PolicyRequest } from '../request.ts';
import type { LayerKind } from '../verdict.ts';
import { tomlText } from './toml-text.ts';

/** A person's way around one layer's denial. */
export type Way =
  /** Add this TOML line to this file, or use this flag for one run. */
  | {
      readonly kind: 'add';
      readonly layer: LayerKind;
      readonly file: string;
      readonly line: string;
      readonly flag?: readonly [string, string];
    }
  /** Remove or change that line. */
  | {
      readonly kind: 'change';
      readonly layer: LayerKind;
      readonly file: string;
      readonly at: number;
      readonly rule: string;
    }
  /** Nothing would allow it; `reason` explains why. */
  | { readonly kind: 'nothing'; readonly layer: LayerKind; readonly reason: string };

/** Returns every change that one layer needs to allow a request. */
export function waysToAllow(answer: Answer, request: PolicyRequest): readonly Way[] {
  const way = wayToAllow(answer, request);
  return answer.also === undefined ? [way] : [way, ...waysToAllow(answer.also, request)];
}

function wayToAllow(answer: Answer, request: PolicyRequest): Way {
  const { layer, file, line: at, rule, editFile } = answer;
  switch (answer.code) {
    case 'granted':
      return { kind: 'nothing', layer, reason: 'it is allowed already' };
    case 'not-granted':
      return addition({ layer, file: editFile }, grantFor(request));
    case 'outside-ceiling':
      return addition({ layer, file }, withoutFlag(grantFor(request, rule)));
    case 'protected-path':
    case 'hidden-file':
      return file === builtinFile
        ? release({ layer, file: editFile }, releaseFor(request, rule))
        : { kind: 'change', layer, file, at, rule };
    case 'rule':
    case 'deny-set':
    case 'unknown-word':
      return file === builtinFile
        ? { kind: 'nothing', layer, reason: answer.reason ?? 'it is built in' }
        : { kind: 'change', layer, file, at, rule };
    case 'credential-store':
      return {
        kind: 'nothing',
        layer,
        reason:
          answer.held === 'beneath'
            ? 'it holds a credential store, and these never enter the box'
            : 'credential stores never enter the box',
      };
    case 'policy-file':
      return { kind: 'nothing', layer, reason: 'a box that could change its policy would not be restricted by it' };
    case 'withheld':
      return { kind: 'nothing', layer, reason: 'only `holdfast trust add` approves it, with its current content' };
    case 'planted-program':
      return {
        kind: 'nothing',
        layer,
        reason:
          'the box could have made this program itself, so no rule covers it; start it by its path if you mean it',
      };
    case 'not-understood':
    case 'command-class':
      return { kind: 'nothing', layer, reason: answer.reason ?? 'it is not understood' };
    case 'unrepresentable':
      return { kind: 'nothing', layer, reason: 'no rule can name an invalid path, host or name' };
  }
}

function addition({ layer, file }: Pick<Answer, 'layer' | 'file'>, grant: Grant | undefined): Way {
  if (grant === undefined) return { kind: 'nothing', layer, reason: 'the box has no network path for it' };
  const { line, flag } = grant;
  return flag === undefined ? { kind: 'add', layer, file, line } : { kind: 'add', layer, file, line, flag };
}

function release(place: Pick<Answer, 'layer' | 'file'>, grant: Grant | undefined): Way {
  return grant === undefined
    ? { kind: 'nothing', layer: place.layer, reason: 'it would also remove or move protected files in it' }
    : addition(place, grant);
}

/** A flag extends the user's grants, but does not raise another file's ceiling. */
function withoutFlag(grant: Grant | undefined): Grant | undefined {
  return grant === undefined ? undefined : { line: grant.line };
}

/** One policy line that grants exactly one request, and the flag that grants it for one run. */
interface Grant {
  readonly line: string;
  readonly flag?: readonly [string, string];
}

/** Returns the narrowest grant of a request. `list` replaces the usual list. Undefined if no grant would work. */
export function grantFor(request: PolicyRequest, list?: string): Grant | undefined {
  switch (request.kind) {
    case 'file':
      return fileGrant(request, list);
    case 'exec':
      return listed(list ?? 'commands.allow', commandPatternOf([request.program, ...request.argv.slice(1)]));
    case 'connect':
      return request.protocol === 'udp' ? udpGrant(request) : hostGrant(request.host, request.port);
    case 'http':
      return hostGrant(request.host, request.port);
    case 'dns':
      return hostGrant(request.name, undefined);
    case 'socket':
      return socketGrant(request.address);
    case 'signal':
      return undefined;
    case 'env':
      return envGrant(request.name);
    case 'tool':
      return listed('tools.allow', escapeWildcard(`${request.server}/${request.tool}`));
    case 'trust':
      return trustGrant(request.path, request.sha256);
    case 'registry':
      return listed('registry.allow', request.key);
  }
}

/**
 * Returns the line that releases a built-in protection or hiding. It releases all of it, because the kernel cannot
 * release a part. Undefined if a directory is refused for its content.
 */
export function releaseFor(request: PolicyRequest, rule: string): Grant | undefined {
  if (request.kind === 'registry') return listed('registry.release', request.key);
  const path = request.kind === 'file' ? grantablePath(request.path) : undefined;
  const held = path === undefined ? undefined : heldPart(path, rule);
  return held === undefined ? undefined : listed('files.release', patternFor(held));
}

/** Rules about names are called `protected:.git/hooks` and `hidden:.env.*`. All others concern one path. */
function heldPart(path: string, rule: string): string | undefined {
  const [, chain] = /^(?:protected|hidden):(.+)$/.exec(rule) ?? [];
  if (chain === undefined) return path;
  const components = path.split('/').slice(1);
  const length = guardedLength(components, { components: chain.split('/'), except: [] });
  return length === undefined ? undefined : `/${components.slice(0, length).join('/')}`;
}

function listed(list: string, value: string): Grant {
  return { line: `${list} = [${tomlText(value)}]` };
}

function fileGrant(request: FileRequest, list: string | undefined): Grant | undefined {
  const use = request.operation === 'read' || request.operation === 'execute' ? 'read' : 'write';
  const path = grantablePath(request.path);
  if (path === undefined) return undefined;
  const { line } = listed(list ?? `files.${use}`, patternFor(path));
  return { line, flag: [use === 'read' ? '--read' : '--write', path] };
}

/** The usual case: absolute, normal, and literal for patterns and TOML. */
const plainPath = /^(?:\/\.?[\w@+=:,-][\w@+=:,.-]*)+$/;

/** Patterns refuse control characters, so such a file can only be granted with its directory. */
function grantablePath(text: string): string | undefined {
  if (plainPath.test(text)) return text;
  const path = normalisePath(text);
  return path === undefined || hasControl(path) ? undefined : path;
}

function patternFor(path: string): string {
  return plainPath.test(path) ? path : pathPatternOf(path);
}

function hostGrant(text: string, port: number | undefined): Grant | undefined {
  const host = normaliseHost(text);
  if (host === undefined) return undefined;
  const name = host.address?.kind === 'v6' ? `[${host.text}]` : host.text;
  const value = port === undefined ? name : `${name}:${port}`;
  return { ...listed('network.hosts', value), flag: ['--host', value] };
}

/** A variable that makes programs load code cannot come from the host, but a policy can set it. */
function envGrant(name: string): Grant | undefined {
  if (!/^\w+$/.test(name)) return undefined;
  return loadsCode(name)
    ? { line: `environment.set = { ${name} = "…" }` }
    : { ...listed('environment.pass', name), flag: ['--env', name] };
}

function udpGrant({ host: text, port }: ConnectRequest): Grant | undefined {
  const grant = hostGrant(text, port);
  const value = grant?.flag?.[1];
  if (value === undefined) return undefined;
  return {
    line: `connect = [{ name = ${tomlText(`udp-${port}`)}, decision = "allow", hosts = [${tomlText(value)}], protocol = "udp" }]`,
  };
}

function socketGrant(address: string): Grant | undefined {
  if (hasControl(address)) return undefined;
  const path = address.startsWith('@') ? address : normalisePath(address);
  if (path === undefined) return undefined;
  return {
    ...listed('sockets.allow', address.startsWith('@') ? escapeWildcard(path) : patternFor(path)),
    flag: ['--socket', path],
  };
}

function trustGrant(text: string, sha256: string): Grant | undefined {
  const path = grantablePath(text);
  if (path === undefined) return undefined;
  return {
    line: `trust = [{ name = ${tomlText(`trust-${sha256.slice(0, 8)}`)}, decision = "allow", paths = [${tomlText(pathPatternOf(path))}], sha256 = [${tomlText(sha256)}] }]`,
  };
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
