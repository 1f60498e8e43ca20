import type { CommandClass } from '../../class/command-class.ts';
import { alike, each, flags, noSpan, reachesUnknown, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { plainText } from '../words.ts';

const typed = (words: Parameters<Refine>[0]['operands']): string =>
  words.map((word) => plainText(word) ?? '$').join(' ');

const askedFor = /^(?:--help|--version|-V)$/u;

interface Bound {
  readonly message: string;
  /** Words that name code: without a bound, the command does anything. */
  readonly unless?: RegExp;
}

/** They do no more than this. */
const effect = (names: string, atMost: CommandClass, { message, unless }: Bound): readonly ToolSpec[] =>
  alike(names, {
    grammar: 'words',
    operands: each('text'),
    refine: ({ operands }) => {
      const words = typed(operands);
      if (askedFor.test(words)) return {};
      if (unless !== undefined && (unless.test(words) || words.includes('$')))
        return { opaque: [{ kind: 'inline-code', message: 'may run a program that its words name', span: noSpan }] };
      return { opaque: [{ kind: 'inline-code', message, span: noSpan, atMost }] };
    },
  });

/** They only show with such words, and are not understood with others. */
const question = (names: string, shown: RegExp): readonly ToolSpec[] =>
  alike(names, {
    grammar: 'words',
    operands: each('text'),
    refine: ({ operands }) =>
      (shown.test(typed(operands)) && !typed(operands).includes('$')) || askedFor.test(typed(operands))
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'is not known to only show', span: noSpan }] },
  });

/** They ask a host, and print its answer, with such words. Others would write a file, or run code. */
const asksHost = (names: string, asked: RegExp): readonly ToolSpec[] =>
  alike(names, {
    grammar: 'words',
    operands: each('text'),
    refine: (parsed, context) => {
      const words = typed(parsed.operands);
      if (askedFor.test(words)) return {};
      const opaque =
        asked.test(words) && !words.includes('$')
          ? []
          : [{ kind: 'unknown-option' as const, message: 'has a word that is not known only to ask', span: noSpan }];
      return { ...reachesUnknown('the host that its words name')(parsed, context), opaque };
    },
  });

/** Any words but these, as the beginnings of a word. */
const without = (words: string): RegExp => new RegExp(`^(?!(?:.* )?(?:${words}))`, 'su');

const machine: Bound = { message: 'changes the machine' };

/** LVM's settings name programs. */
const lvmSettings = /(?:^| )--(?:config|profile|commandprofile|metadataprofile)/u;

/** Programs whose effect their name tells. Sources: their manuals in Debian 12. */
export const plainEffects: readonly ToolSpec[] = [
  ...effect(
    'chsh chfn gpasswd groupdel addgroup delgroup newusers wall write logger xkill skill fusermount fusermount3 locale-gen setxkbmap loadkeys efibootmgr apparmor_parser aa-enforce aa-complain aa-disable brctl swaplabel e2label resize2fs partprobe kpartx kubectx update-initramfs alternatives pam-auth-update',
    'changes the machine',
    machine,
  ),
  ...effect('iptables-restore ip6tables-restore ebtables arptables', 'changes the machine', {
    ...machine,
    unless: /(?:^| )(?:-[A-Za-z]*M|--mod)/u,
  }),
  ...effect('update-ca-certificates', 'changes the machine', { ...machine, unless: /(?:^| )--(?!fresh|verbose)/u }),
  ...effect('lvcreate lvextend lvresize lvrename lvchange vgchange vgcreate vgextend vgrename', 'changes the machine', {
    ...machine,
    unless: lvmSettings,
  }),
  ...effect('machinectl', 'changes the machine', { ...machine, unless: /(?:^| )(?:shell|login)\b/u }),
  ...effect('lvreduce pvcreate', 'destroys', { message: 'deletes data for good', unless: lvmSettings }),
  ...effect('trash-empty deluser', 'destroys', { message: 'deletes data for good' }),
  ...effect('atrm incrontab atd crond', 'leaves the session behind', { message: 'decides what runs later' }),
  ...asksHost('snmpget snmpgetnext snmpwalk snmpbulkwalk', without('-L|--')),
  ...asksHost('ldapsearch ldapwhoami', without('-[A-Za-z]*[tT]')),
  ...asksHost('rpcinfo mosquitto_pub mosquitto_sub fping', without('-d')),
  ...asksHost('mysqlshow', without('--(?:plugin|defaults|login)')),
  ...asksHost('kcat kafkacat', without('-[FX]')),
  ...asksHost('grpcurl', without('-{1,2}(?:protoset-out|proto-out)')),
  ...asksHost('http https xh xhs', without('-[A-Za-z]*[do]|--(?:download|output|session|verify|cert|offline)')),
  ...asksHost('ntpdate', /^-q [\w.:-]+$/u),
  ...asksHost('ntpq', /^-[pn]+(?: [\w.:-]+)?$/u),
  ...asksHost('chronyc', /^(?:-n )?(?:tracking|sources|sourcestats|activity)(?: -v)?$/u),
  ...asksHost('mtr', /^(?:-[rwnbc46]+|\d+|--report|--report-wide|--no-dns)(?: [\w.:-]+)*$/u),
  ...asksHost('systemd-resolve', /^[\w.:][\w.:-]*$/u),
  ...asksHost('crane', /^(?:ls|digest|manifest|catalog|config) [\w./:@-]+$/u),
  ...question('tc', /^(?:-[sdp]+ )*(?:qdisc|(?:qdisc|class|filter) (?:show|ls|list)(?: (?:dev|parent) [\w.:@-]+)*)$/u),
  ...question('chage', /^(?:-l|--list) [\w.-]+$/u),
  ...question('prlimit', /^(?:-p ?|--pid[ =])\d+(?: (?:--[a-z]+|-[a-z]))*$/u),
  ...question('kmod', /^(?:list|static-nodes|help)$/u),
  ...question('utmpdump', /^[^-]\S*$/u),
  ...question('faillog', /^(?:-a|--all|-u [\w.-]+)?$/u),
  ...question('finger', /^[\w.-]*$/u),
  ...question('gsettings', /^(?:get|list-\w+|range|describe|writable)(?: [\w./:-]+)*$/u),
  ...question('gio', /^(?:info|list|tree|cat)(?: [^: ]+)*$/u),
  ...question('luac', /^-p [^-|]\S*$/u),
  // Attack: a file called `|COMMAND` runs it.
  ...question('sox', /^--i(?:nfo)? [^-|: ][^: ]*$/u),
  ...question('soxi', /^(?:-[abBcdDeprstT] )?[^-|: ][^: ]*$/u),
  // An option may name another machine.
  ...question('lpstat lpq', without('-[A-Za-z]*h')),
  ...question('xdpyinfo xwininfo glxinfo', without('-d')),
  ...question('xset', /^q$/u),
  ...question('mailq', /^(?:-v)?$/u),
  ...question('isoinfo', /^(?:-[dfhlpsJR]+|-[ijxNT] [^ ]+)(?: (?:-[dfhlpsJR]+|-[ijxNT] [^ ]+))*$/u),
  ...question('ipcalc sipcalc', /^(?:-[bnmp46] )*(?:[\d./]+|[\da-f]*:[\da-f:./]*)(?: [\d./]+)?$/iu),
  ...question('pdfgrep', without('--cache')),
  ...question('bind', /^-[lpPsSvVX]$/u),
  // No option of these writes, or runs anything.
  ...alike('duf dust loc gocloc enry trurl uuidparse getfattr lastcomm infocmp aureport sha3sum zdiff', {
    grammar: 'words',
    operands: each('text'),
  }),
  ...alike('bzdiff xzdiff', { grammar: 'words', operands: each('text') }),
  tool('pv', { options: flags('-q', '-h --help', '-V --version', '-l'), operands: each('read') }),
];
