import type { HostEffect, Opacity, Word } from '../../types.ts';
import { hostOf } from '../hosts.ts';
import { each, flags, inOrder, opaqueEffect, takes, tool, unknownHost, warnsTaking } from '../notation.ts';
import type { Refine, Refinement, ToolSpec } from '../types.ts';
import { mayBeOption, plainText, wordAsTyped } from '../words.ts';

/*
 * Looking up a name reaches the servers of its domain, so the domain's owner reads it. So every name is a host, and an
 * unknown name is never harmless.
 */
const ping = tool('ping ping4 ping6', {
  operands: each('host'),
  options: [
    ...flags('-4', '-6', '-a', '-A', '-b', '-B', '-D', '-f', '-L', '-n', '-O', '-q', '-R', '-U', '-v', '-V'),
    ...takes('text', '-c', '-i', '-I', '-l', '-m', '-M', '-p', '-Q', '-s', '-S', '-t', '-T', '-w', '-W'),
  ],
});

const traceroute = tool('traceroute traceroute6 tracepath', {
  operands: inOrder(['host', 'text']),
  options: [
    ...flags('-4', '-6', '-F', '-I', '-T', '-U', '-n', '-r', '-d', '-V'),
    ...takes('text', '-f', '-m', '-N', '-p', '-q', '-w', '-z', '-t', '-l'),
  ],
});

const host = tool('host', {
  operands: each('host'),
  options: [
    ...flags('-a', '-C', '-d', '-i', '-l', '-r', '-s', '-T', '-U', '-v', '-V', '-w', '-4', '-6'),
    ...takes('text', '-c', '-N', '-R', '-t', '-W'),
  ],
});

const whois = tool('whois', {
  operands: each('host'),
  options: [
    ...flags('-H', '--verbose', '--help', '--version'),
    ...takes('host', '-h --host'),
    ...takes('text', '-p --port'),
  ],
});

/** Every word that is not an option, a type or a class is a name. */
const looksUp: Refine = ({ operands: words }) => {
  const found: { readonly hosts: HostEffect[]; readonly opaque: Opacity[] } = { hosts: [], opaque: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const text = plainText(word);
    if (text !== undefined && /^-[ptcyb]$/u.test(text)) at++;
    else if (text === '-x' || text === '-q') continue;
    else if (
      text !== undefined &&
      /^(?:-[46mruvi]|\+[\w=.-]+|-(?:type|query|class|port|timeout|retry|debug|nodebug|norecurse|recurse)(?:=[\w.-]+)?|-[pt]\w+)$/u.test(
        text,
      )
    )
      continue;
    else if (
      text !== undefined &&
      /^(?:a|aaaa|any|axfr|caa|cname|ds|dnskey|mx|ns|nsec|ptr|soa|spf|srv|tlsa|txt|in|ch|hs)$/iu.test(text)
    )
      continue;
    else noteName(found, word);
  }
  const isQuestion = found.hosts.length > 0 || words.some((word) => /^-[hvV]$/u.test(wordAsTyped(word)));
  return isQuestion ? found : { ...found, hosts: [unknownHost('the name server that the configuration names')] };
};

const dig = tool('dig delv', { grammar: 'words', operands: each('text'), refine: looksUp });

const nslookup = tool('nslookup', { grammar: 'words', operands: each('text'), refine: looksUp });

/** Databases of hosts are queried over the network; the others are files. */
const asksDatabase: Refine = ({ operands: [database, ...keys] }): Refinement => {
  if (database === undefined) return {};
  const text = plainText(database);
  if (text === undefined)
    return {
      opaque: [
        {
          kind: 'dynamic-word',
          message: `\`${wordAsTyped(database)}\` of \`getent\` is not known`,
          span: database.span,
        },
      ],
    };
  if (!/^(?:hosts|ahosts|ahostsv4|ahostsv6|networks)$/u.test(text)) return {};
  const found = { hosts: [] as HostEffect[], opaque: [] as Opacity[] };
  for (const key of keys) noteName(found, key);
  return found;
};

const getent = tool('getent', {
  operands: each('text'),
  options: [
    ...flags('-i --no-idn', '-? --help', '-V --version'),
    // Attack: `getent passwd root -s ./x` loads `libnss_./x.so.2` from here.
    ...warnsTaking(opaqueEffect('inline-code', '`-s` names libraries to load'), '-s --service'),
  ],
  refine: asksDatabase,
});

export const dnsTools: readonly ToolSpec[] = [ping, traceroute, host, whois, dig, nslookup, getent];

function noteName(found: { readonly hosts: HostEffect[]; readonly opaque: Opacity[] }, word: Word): void {
  const text = plainText(word);
  const isOption = mayBeOption(word) && text !== undefined;
  if (isOption) {
    found.opaque.push({
      kind: 'unknown-option',
      message: `\`${wordAsTyped(word)}\` is no option that is known`,
      span: word.span,
    });
    return;
  }
  const effect =
    text === undefined
      ? { host: undefined, port: undefined, text: wordAsTyped(word) }
      : { ...hostOf(text.replace(/^@/u, '').replace(/\.$/u, '')), text };
  found.hosts.push(effect);
  if (effect.host === undefined)
    found.opaque.push({
      kind: 'dynamic-word',
      message: `\`${wordAsTyped(word)}\` names no host that is known before it runs`,
      span: word.span,
    });
}
