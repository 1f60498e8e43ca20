/**
 * Settings whose value names a program that git runs or a file that it obeys, after git-config(1), gitattributes(5) and
 * githooks(5) of git 2.50. `path`: one path, which need not exist yet. `command`: a command line for a shell. `alias`:
 * a command after `!`.
 */
export const runningKeys: readonly { readonly key: RegExp; readonly use: 'path' | 'command' | 'alias' }[] = [
  { key: /^core\.(?:hookspath|attributesfile)$/u, use: 'path' },
  { key: /^include(?:if\..*)?\.path$/su, use: 'path' },
  { key: /^init\.templatedir$/u, use: 'path' },
  { key: /^core\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)$/u, use: 'command' },
  { key: /^(?:sequence\.editor|pager\..*|interactive\.difffilter|uploadpack\.packobjectshook)$/su, use: 'command' },
  { key: /^credential\.(?:.*\.)?helper$/su, use: 'command' },
  { key: /^diff\.(?:external|.*\.(?:command|textconv))$/su, use: 'command' },
  { key: /^merge\..*\.driver$/su, use: 'command' },
  { key: /^filter\..*\.(?:clean|smudge|process)$/su, use: 'command' },
  { key: /^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$/su, use: 'command' },
  { key: /^(?:difftool|mergetool|guitool|browser|man)\..*\.(?:cmd|path)$/su, use: 'command' },
  { key: /^remote\..*\.(?:uploadpack|receivepack)$/su, use: 'command' },
  { key: /^(?:hook|trailer|tar)\..*\.(?:command|cmd)$/su, use: 'command' },
  { key: /^sendemail\.(?:.*\.)?(?:sendmailcmd|smtpserver|tocmd|cccmd|headercmd)$/su, use: 'command' },
  { key: /^lfs\.customtransfer\..*\.(?:path|args)$/su, use: 'command' },
  { key: /^(?:alias\..*|submodule\..*\.update)$/su, use: 'alias' },
];

/** githooks(5). */
export const hookNames: readonly string[] = [
  'applypatch-msg',
  'pre-applypatch',
  'post-applypatch',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-rebase',
  'post-checkout',
  'post-merge',
  'pre-push',
  'pre-receive',
  'update',
  'proc-receive',
  'post-receive',
  'post-update',
  'reference-transaction',
  'push-to-checkout',
  'pre-auto-gc',
  'post-rewrite',
  'sendemail-validate',
  'fsmonitor-watchman',
  'p4-changelist',
  'p4-prepare-changelist',
  'p4-post-changelist',
  'p4-pre-submit',
  'post-index-change',
];
