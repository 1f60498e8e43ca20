import type { Word } from '../../types.ts';
import { flags, inOrder, opaque, takes, tool, warns, warnsTaking } from '../notation.ts';
import type { OptionSpec, ParsedArguments, Refine, ToolSpec } from '../types.ts';
import { shown, textOf } from '../words.ts';

/** Options of ssh_config(5) that neither run nor read nor listen. */
const harmless =
  /^(?:addressfamily|batchmode|bindaddress|checkhostip|ciphers|compression|connectionattempts|connecttimeout|connectionattempts|fingerprinthash|forwardagent|gssapiauthentication|hashknownhosts|hostkeyalgorithms|hostkeyalias|identitiesonly|kbdinteractiveauthentication|kexalgorithms|loglevel|macs|numberofpasswordprompts|passwordauthentication|port|preferredauthentications|pubkeyauthentication|requesttty|sendenv|serveralivecountmax|serveraliveinterval|stricthostkeychecking|tcpkeepalive|updatehostkeys|user|verifyhostkeydns|visualhostkey|controlpersist)$/u;

/** `ProxyCommand`, `LocalCommand`, `KnownHostsCommand` and `Match exec` run here; `Include` and file options read here. */
export const sshOptions: readonly OptionSpec[] = [
  ...takes('text', '-o'),
  ...takes('host', '-J'),
  ...warnsTaking(opaque('inline-code', '`-F` names a configuration, which can run programs here'), '-F'),
];

const refineOptions = (parsed: ParsedArguments) => parsed.options.filter(({ spelled, value }) => spelled === '-o' && value !== undefined).flatMap(({ value }) => ofOption(value as Word));

function ofOption(word: Word) {
  const name = /^\s*(\w+)/u.exec(textOf(word) ?? '')?.[1]?.toLowerCase() ?? '';
  return harmless.test(name) ? [] : [{ kind: 'inline-code' as const, message: `\`-o ${shown(word)}\` can run a program here`, span: word.span }];
}

/** The remote command runs on the other side: no invocation here. */
export const withSshOptions: Refine = (parsed) => ({ opaque: refineOptions(parsed) });

const ssh = tool('ssh slogin', {
  grammar: 'getopt-posix',
  options: [
    ...flags('-4', '-6', '-A', '-a', '-C', '-f', '-G', '-g', '-K', '-k', '-N', '-n', '-q', '-s', '-T', '-t', '-V', '-v', '-X', '-x', '-Y', '-y'),
    ...takes('text', '-B', '-b', '-c', '-e', '-l', '-m', '-O', '-p', '-Q'),
    ...takes('read', '-i'),
    ...takes('write', '-E'),
    ...takes('host', '-W'),
    ...takes('program', '-I'),
    ...warnsTaking(opaque('unknown-option', '`-L`, `-R`, `-D` and `-w` open ways between networks'), '-L', '-R', '-D', '-w'),
    ...warnsTaking(opaque('unknown-option', '`-S` talks to a socket that somebody else may hold'), '-S'),
    ...warns(opaque('unknown-option', '`-M` leaves a connection open for others'), '-M'),
    ...sshOptions,
  ],
  operands: inOrder(['host'], 'text'),
  refine: withSshOptions,
});

const keys: readonly ToolSpec[] = [
  tool('ssh-keygen', { grammar: 'getopt-posix', options: [...flags('-q', '-l', '-v', '-B', '-y', '-e', '-i', '-H'), ...takes('text', '-t', '-b', '-C', '-N', '-P', '-E', '-m', '-F', '-a'), ...takes('write', '-f'), ...warnsTaking(opaque('inline-code', '`-D` and `-w` load a library'), '-D', '-w')] }),
  tool('ssh-keyscan', { options: [...flags('-4', '-6', '-H', '-D', '-c', '-q', '-v'), ...takes('text', '-p', '-T', '-t'), ...takes('read', '-f')], operands: { kind: 'each', role: 'host' } }),
  tool('ssh-add', { options: [...flags('-l', '-L', '-D', '-d', '-q', '-x', '-X', '-v'), ...takes('text', '-t', '-E'), ...warnsTaking(opaque('inline-code', '`-s` and `-S` load a library'), '-s', '-S')], operands: { kind: 'each', role: 'read' } }),
  tool('ssh-copy-id', { options: [...flags('-n', '-f'), ...takes('read', '-i'), ...takes('text', '-p'), ...sshOptions], operands: inOrder(['host']), refine: withSshOptions }),
];

export const sshTools: readonly ToolSpec[] = [ssh, ...keys];
