import type { HostEffect, Opacity, Word } from '../../types.ts';
import { each, flags, inOrder, takes, tool } from '../notation.ts';
import { hostOf } from '../hosts.ts';
import type { Refine, Refinement, ToolSpec } from '../types.ts';
import { mayBeOption, shown, textOf } from '../words.ts';

/*
 * A name that is looked up reaches the servers of its domain: whoever owns the domain reads it. So every name is a host,
 * and a name that is not known is never harmless.
 */
const ping = tool('ping ping4 ping6', {
  operands: each('host'),
  options: [...flags('-4', '-6', '-a', '-A', '-b', '-B', '-D', '-f', '-L', '-n', '-O', '-q', '-R', '-U', '-v', '-V'), ...takes('text', '-c', '-i', '-I', '-l', '-m', '-M', '-p', '-Q', '-s', '-S', '-t', '-T', '-w', '-W')],
});
const traceroute = tool('traceroute traceroute6 tracepath', {
  operands: inOrder(['host', 'text']),
  options: [...flags('-4', '-6', '-F', '-I', '-T', '-U', '-n', '-r', '-d', '-V'), ...takes('text', '-f', '-m', '-N', '-p', '-q', '-w', '-z', '-t', '-l')],
});
const host = tool('host', { operands: each('host'), options: [...flags('-a', '-C', '-d', '-i', '-l', '-r', '-s', '-T', '-U', '-v', '-V', '-w', '-4', '-6'), ...takes('text', '-c', '-N', '-R', '-t', '-W')] });
const whois = tool('whois', { operands: each('host'), options: [...flags('-H', '--verbose', '--help', '--version'), ...takes('host', '-h --host'), ...takes('text', '-p --port')] });

/** Everything that is no option, no type and no class is a name. */
const looksUp: Refine = ({ operands: words }) => {
  const found: { readonly hosts: HostEffect[]; readonly opaque: Opacity[] } = { hosts: [], opaque: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const text = textOf(word);
    if (text !== undefined && /^-[ptcyb]$/u.test(text)) at++;
    else if (text === '-x' || text === '-q') continue;
    else if (text !== undefined && /^(?:-[46mruvi]|\+[\w=.-]+|-(?:type|query|class|port|timeout|retry|debug|nodebug|norecurse|recurse)(?:=[\w.-]+)?|-[pt]\w+)$/u.test(text)) continue;
    else if (text !== undefined && /^(?:a|aaaa|any|axfr|caa|cname|ds|dnskey|mx|ns|nsec|ptr|soa|spf|srv|tlsa|txt|in|ch|hs)$/iu.test(text)) continue;
    else noteName(found, word);
  }
  return found;
};

function noteName(found: { readonly hosts: HostEffect[]; readonly opaque: Opacity[] }, word: Word): void {
  const text = textOf(word);
  const isOption = mayBeOption(word) && text !== undefined;
  if (isOption) {
    found.opaque.push({ kind: 'unknown-option', message: `\`${shown(word)}\` is no option that is known`, span: word.span });
    return;
  }
  const effect = text === undefined ? { host: undefined, port: undefined, text: shown(word) } : { ...hostOf(text.replace(/^@/u, '').replace(/\.$/u, '')), text };
  found.hosts.push(effect);
  if (effect.host === undefined) found.opaque.push({ kind: 'dynamic-word', message: `\`${shown(word)}\` names no host that is known before it runs`, span: word.span });
}
const dig = tool('dig delv', { grammar: 'words', operands: each('text'), refine: looksUp });
const nslookup = tool('nslookup', { grammar: 'words', operands: each('text'), refine: looksUp });

/** Databases of hosts are asked over the network; the others are files. */
const asksDatabase: Refine = ({ operands: [database, ...keys] }): Refinement => {
  if (database === undefined) return {};
  const text = textOf(database);
  if (text === undefined) return { opaque: [{ kind: 'dynamic-word', message: `\`${shown(database)}\` of \`getent\` is not known`, span: database.span }] };
  if (!/^(?:hosts|ahosts|ahostsv4|ahostsv6|networks)$/u.test(text)) return {};
  const found = { hosts: [] as HostEffect[], opaque: [] as Opacity[] };
  for (const key of keys) noteName(found, key);
  return found;
};
const getent = tool('getent', { grammar: 'getopt-posix', operands: each('text'), options: [...flags('-i --no-idn', '-? --help', '-V --version'), ...takes('text', '-s --service')], refine: asksDatabase });

export const dnsTools: readonly ToolSpec[] = [ping, traceroute, host, whois, dig, nslookup, getent];
