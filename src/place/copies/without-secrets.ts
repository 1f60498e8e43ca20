import { rulePacks } from '../../dlp/rules/index.ts';
import { createScanner } from '../../dlp/scan/scanner.ts';
import { lazily } from '../../policy/lazily.ts';

/** A configuration without its secrets. */
export interface WithoutSecrets {
  readonly text: string;
  /** Names of the settings that had one, such as `remote "origin".url`. */
  readonly settings: readonly string[];
}

/**
 * Takes the secrets out of a configuration in the style of git, INI, TOML, npm or YAML. Undefined for one that has none.
 * Everything else stays byte for byte. A setting that is a secret becomes a comment, so that a program falls back to its
 * other ways to log in. A URL loses its password. Takes linear time.
 */
export function withoutSecrets(text: string, comment: '#' | '--' = '#'): WithoutSecrets | undefined {
  if (!suspicious.test(text) && scanner().find(text).length === 0) return undefined;
  const settings = new Set<string>();
  let section = '';
  const lines = logicalLines(text).map((line, index) => {
    const { header, name, value } = partsOf(line);
    if (header.includes('[')) section = sectionOf(header);
    const label = [section, name].filter((part) => part !== '').join('.');
    const clean = isSecretSetting(name, value)
      ? `${header.replace(/export[ \t]+$/u, '')}${comment} ${name} is hidden by Holdfast${line.endsWith('\n') ? '\n' : ''}`
      : withoutKeys(line.replaceAll(inlineSecret, inlineReplaced).replaceAll(userInfo, userInfoReplaced));
    if (clean !== line) settings.add(name === '' && header.trim() === '' ? `line ${index + 1}` : label);
    return clean;
  });
  return settings.size === 0 ? undefined : { text: lines.join(''), settings: [...settings] };
}

/** Part of every secret setting and of every login in a URL. Most files have none of these. */
const suspicious = /pass|token|secret|key|_auth|extraheader|helper|@/iu;

/** A backslash at the end of a line continues a setting of git. */
function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of text.split(/(?<=\n)/u)) {
    open += line;
    if (/(?<!\\)(?:\\\\)*\\\r?\n$/u.test(line)) continue;
    lines.push(open);
    open = '';
  }
  return open === '' ? lines : [...lines, open];
}

interface LineParts {
  /** Everything before the name: a section, or blanks. */
  readonly header: string;
  readonly name: string;
  readonly value: string;
}

/** A section, as in `[remote "origin"]`; git allows a setting behind it. A shell exports. */
const lineHeader = /^[ \t]*(?:export[ \t]+)?(?:\[(?:[^\]"\n]|"(?:[^"\\\n]|\\[^\n])*")*\]+[ \t]*)?/u;
/** `url = x`, `//registry.npmjs.org/:_authToken=x`, `npmAuthToken: x`. */
const lineSetting = /^["']?([^\s=#;"'[\]{}]+?)["']?[ \t]*(?:=|:(?=[ \t]))[ \t]*(.*)$/su;

function partsOf(line: string): LineParts {
  const [header = ''] = lineHeader.exec(line) ?? [];
  const [, name = '', value = ''] = lineSetting.exec(line.slice(header.length)) ?? [];
  return { header, name, value: value.trim().replaceAll(/^["']|["']$/gu, '') };
}

function sectionOf(header: string): string {
  return header.replaceAll(userInfo, userInfoReplaced).replaceAll(/[[\]]/gu, '').trim();
}

const secretName =
  /(?:passw(?:or)?d|passphrase|token|secret|(?:access|api|private|secret)[_-]?key|(?:^|[_.-]|smtp)pass|_auth)$/iu;
const headerName = /^([\w-]*)[ \t]*:[ \t]*\S/u;
const secretHelper = /^!.*password[ \t]*=[ \t]*(?!\\?["']?\$)[^\s;]/isu;

function isSecretSetting(name: string, value: string): boolean {
  const last = name.slice(Math.max(...[':', '/', '.'].map((end) => name.lastIndexOf(end))) + 1).toLowerCase();
  if (last === 'extraheader') return /auth|token|cookie|key|secret/iu.test(headerName.exec(value)?.[1] ?? '');
  if (last === 'helper') return secretHelper.test(value);
  return secretName.test(last) && isLiteral(value);
}

/** No reference to a variable, and no switch: a false alarm would take a setting away. */
function isLiteral(value: string): boolean {
  return value !== '' && !/^(?:true|false|yes|no|on|off|\d{1,6}|[$%<].*|\{\{.*)$/isu.test(value);
}

/** `index = { url = "x", token = "y" }`. */
const inlineSecret =
  /([{,][ \t]*["']?[\w-]{0,60}(?:password|token|secret|api[_-]?key)["']?[ \t]*[=:][ \t]*)("[^"\n]*"|'[^'\n]*')/giu;

function inlineReplaced(all: string, before: string, quoted: string): string {
  return isLiteral(quoted.slice(1, -1)) ? `${before}"hidden-by-holdfast"` : all;
}

/** The part of a URL before the host. A name alone is no secret, unless it looks like a token. */
const userInfo = /(?<![a-z\d+.-])([a-z][a-z\d+.-]{0,20}:\/\/)([^\s/"'<>?#]*)@/giu;

function userInfoReplaced(all: string, scheme: string, info: string): string {
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/su.exec(info) ?? [];
  const bareToken = isToken(user);
  if (!bareToken && !isLiteral(password)) return all;
  return bareToken || user === '' ? scheme : `${scheme}${user}@`;
}

/** No person is called so: long, with digits among the letters. */
function isToken(user: string): boolean {
  const run = /\w{20,}/u.exec(user)?.[0] ?? '';
  return (run.match(/\d/gu)?.length ?? 0) > 1 && /[a-z]/iu.test(run);
}

const scanner = lazily(() => createScanner({ rules: [...rulePacks.keys, ...rulePacks.tokens] }));

/** Keys whose own form tells, wherever they stand: in an alias, or in a comment. */
function withoutKeys(line: string): string {
  let at = 0;
  const parts = scanner()
    .find(line)
    .map(({ start, end }) => {
      const part = `${line.slice(at, start)}hidden-by-holdfast`;
      at = end;
      return part;
    });
  return parts.length === 0 ? line : `${parts.join('')}${line.slice(at)}`;
}
