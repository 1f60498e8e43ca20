import { each, flags, inOrder, opaque, takes, tool, unknownHost, warns, warnsTaking } from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import type { HostEffect, Word } from '../../types.ts';
import { hostOf, locationOfRemote } from '../hosts.ts';
import { shown, staticWord, textOf } from '../words.ts';
import { sshOptions, withSshOptions } from './ssh.ts';

/** Unless `-O` or `-P` says otherwise, files land in the working directory under names that the URLs give. */
const wgetWrites: Refine = (parsed, context) =>
  parsed.operands.length === 0 || parsed.options.some(({ spec }) => spec.names.some((name) => ['-O', '-P', '--spider'].includes(name))) ? {} : { writes: [context.path(staticWord('.'), 'write', 'tree')] };

const wget = tool('wget', {
  options: [
    ...flags(
      '-q --quiet', '-v --verbose', '-n', '--no-verbose', '-c --continue', '-N --timestamping', '--no-check-certificate', '-r --recursive', '-k --convert-links', '-p --page-requisites', '-m --mirror', '--no-parent', '--no-clobber', '--no-directories', '-x --force-directories',
      '--no-host-directories', '-S --server-response', '--spider', '-4 --inet4-only', '-6 --inet6-only', '--content-disposition', '--trust-server-names', '--no-cache', '--no-cookies', '--no-proxy', '--show-progress', '-b --background', '-d --debug', '-E --adjust-extension', '-K --backup-converted', '--no-hsts', '--https-only', '--no-netrc', '-V --version', '-h --help', '--random-wait', '--no-dns-cache', '--no-config', '--delete-after', '-L --relative', '--keep-session-cookies',
    ),
    ...takes('text', '-l --level', '-t --tries', '-T --timeout', '--dns-timeout', '--connect-timeout', '--read-timeout', '-w --wait', '--waitretry', '-Q --quota', '--limit-rate', '-U --user-agent', '--referer', '--header', '--user', '--password', '--post-data', '--method', '--body-data', '-A --accept', '-R --reject', '--accept-regex', '--reject-regex', '-I --include-directories', '-X --exclude-directories', '--cut-dirs', '--progress', '--max-redirect', '--restrict-file-names', '--secure-protocol', '--compression', '--http-user', '--http-password', '--retry-on-http-error', '--local-encoding', '--remote-encoding'),
    ...takes('write', '-O --output-document', '-o --output-file', '-a --append-output', '--save-cookies', '--warc-file', '--hsts-file', '--rejected-log'),
    ...takes('write-tree', '-P --directory-prefix'),
    ...takes('read', '--post-file', '--body-file', '--load-cookies', '--ca-certificate', '--certificate', '--private-key', '--crl-file'),
    ...takes('program', '--use-askpass'),
    ...takes('text', '-D --domains', '--exclude-domains'),
    ...warnsTaking(opaque('dynamic-word', '`--input-file` takes URLs from a file'), '-i --input-file', '-B --base'),
    ...warnsTaking(opaque('inline-code', '`--execute` is a line of `.wgetrc`, which can name programs'), '-e --execute'),
    ...warnsTaking(opaque('inline-code', '`--config` takes options from a file'), '--config'),
    ...warns(opaque('dynamic-word', '`--span-hosts` follows links to any host'), '-H --span-hosts'),
  ],
  operands: each('url'),
  refine: wgetWrites,
});

const copying = flags('-3', '-4', '-6', '-A', '-B', '-C', '-p', '-q', '-v', '-O', '-T', '-R').concat(flags('-r').map((option) => ({ ...option, deep: true as const })));

/** The last operand is written: a directory here, or a place on a host. */
const scp = tool('scp', {
  grammar: 'getopt-posix',
  options: [...copying, ...takes('text', '-c', '-l', '-P', '-X'), ...takes('read', '-i'), ...takes('program', '-S', '-D'), ...sshOptions],
  operands: inOrder([], 'remote', 'remote-write'),
  refine: withSshOptions,
});

/** `host`, `host:path` and `sftp://host/path`: never a file here. */
function sftpHost(word: Word): HostEffect {
  const where = locationOfRemote(textOf(word) ?? '');
  if (textOf(word) === undefined) return unknownHost(shown(word));
  return where.kind === 'host' ? where.host : hostOf(where.path);
}

const sftp = tool('sftp', {
  grammar: 'getopt-posix',
  options: [...flags('-4', '-6', '-A', '-a', '-C', '-f', '-N', '-p', '-q', '-r', '-v'), ...takes('text', '-B', '-c', '-l', '-P', '-R', '-X'), ...takes('read', '-i'), ...takes('program', '-S', '-D', '-s'), ...warnsTaking(opaque('stdin-code', '`-b` takes commands, and `!` among them runs a program, from a file'), '-b'), ...sshOptions],
  operands: each('text'),
  refine: (parsed, context) => ({ ...withSshOptions(parsed, context), hosts: parsed.operands.map(sftpHost) }),
});

const rsyncFlags: readonly OptionSpec[] = flags(
  '-v --verbose', '-q --quiet', '-c --checksum', '-a --archive', '-r --recursive', '-R --relative', '-b --backup', '-u --update', '--inplace', '--append', '--append-verify', '-d --dirs', '-l --links', '-L --copy-links', '--copy-unsafe-links', '--safe-links', '-k --copy-dirlinks', '-K --keep-dirlinks', '-H --hard-links',
  '-p --perms', '-E --executability', '-A --acls', '-X --xattrs', '-o --owner', '-g --group', '--devices', '--specials', '-D', '-t --times', '-O --omit-dir-times', '-S --sparse', '-n --dry-run', '-W --whole-file', '-x --one-file-system', '--existing', '--ignore-existing', '--delete --del', '--delete-before', '--delete-during',
  '--delete-delay', '--delete-after', '--delete-excluded', '--ignore-errors', '--force', '--partial', '-P', '--progress', '--stats', '-z --compress', '-C --cvs-exclude', '-h --human-readable', '-i --itemize-changes', '-I --ignore-times', '--size-only', '-m --prune-empty-dirs', '--numeric-ids', '-y --fuzzy', '-8 --8-bit-output', '-4 --ipv4', '-6 --ipv6', '--no-owner', '--no-group', '--no-perms', '--no-times', '--no-links', '-s --protect-args --secluded-args', '-0 --from0', '-F', '--list-only', '--mkpath', '--no-motd', '--version', '--no-inc-recursive',
);

/** `--remove-source-files` deletes, `--rsh` and `--rsync-path` run, `--daemon` listens. */
const rsync = tool('rsync', {
  options: [
    ...rsyncFlags,
    ...takes('text', '--exclude', '--include', '-f --filter', '--chmod', '--max-size', '--min-size', '--max-delete', '--bwlimit', '--timeout', '--contimeout', '-B --block-size', '--compress-level', '--compress-choice', '--suffix', '--modify-window', '--port', '--out-format', '--info', '--debug', '--chown', '--iconv', '--outbuf', '--skip-compress', '--sockopts', '-T --temp-dir', '--checksum-choice', '--stop-after'),
    ...takes('read', '--exclude-from', '--include-from', '--files-from', '--password-file'),
    ...takes('read-tree', '--compare-dest', '--copy-dest', '--link-dest'),
    ...takes('write-tree', '--backup-dir', '--partial-dir'),
    ...takes('write', '--log-file', '--write-batch', '--only-write-batch'),
    ...takes('script', '-e --rsh', '--rsync-path'),
    ...takes('host', '--address'),
    ...warnsTaking(opaque('unknown-option', '`--read-batch` writes what a file says'), '--read-batch'),
    ...warnsTaking(opaque('inline-code', '`--remote-option` gives options to the other side'), '-M --remote-option'),
    ...warns(opaque('unknown-option', '`--remove-source-files` deletes what was copied'), '--remove-source-files'),
    ...warns(opaque('inline-code', '`--daemon` listens, and its configuration runs programs'), '--daemon', '--server', '--sender'),
  ],
  operands: inOrder([], 'remote', 'remote-write'),
  // With one operand rsync lists: the plan takes the only one for the last, which is stricter than what happens.
});

export const transferTools: readonly ToolSpec[] = [wget, scp, sftp, rsync];
