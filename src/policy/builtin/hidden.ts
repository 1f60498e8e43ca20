import type { BuiltinName } from './builtin-name.ts';

/** Committed to show which variables there are; what they hold is made up. */
const environmentTemplates: readonly string[] = [
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.dist',
  '.env.test.example',
  '.env.local.example',
];

/**
 * Files that are not readable wherever they lie, because they usually hold secrets. `files.release` takes them out
 * again.
 */
export const hiddenFileNames: readonly BuiltinName[] = [
  ...hidden('secret', 'environment files hold secrets', ['.env']),
  ...hidden('secret', 'environment files hold secrets', ['.env.*', '.envrc.local', '.env-*']).map((name) => ({
    ...name,
    except: environmentTemplates,
  })),
  ...hidden('secret', 'a private key', [
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ed25519',
    'id_ecdsa_sk',
    'id_ed25519_sk',
    'id_xmss',
    '*.ppk',
    '*_rsa.pem',
    '*-private-key.pem',
    'private-key.pem',
    'private_key.pem',
    'privkey.pem',
  ]),
  ...hidden('secret', 'a store of keys or passwords', [
    '.netrc',
    '.pgpass',
    '.htpasswd',
    '.git-credentials',
    '*.keystore',
    '*.jks',
    '*.kdbx',
    '.vault-password',
    '.vault_pass',
    '.vault_pass.txt',
    'credentials.tfrc.json',
    '.terraformrc',
  ]),
  ...hidden('secret', 'a key of a cloud service account', [
    'service-account*.json',
    'serviceaccount*.json',
    'gcp-key*.json',
    'firebase-adminsdk*.json',
  ]),
  ...hidden('secret', 'variables and state of Terraform hold secrets', [
    'terraform.tfstate',
    'terraform.tfstate.backup',
    '*.auto.tfvars',
    'terraform.tfvars',
  ]),
  ...hidden('history', 'histories hold commands with passwords in them', [
    '.bash_history',
    '.zsh_history',
    '.zhistory',
    '.sh_history',
    '.ash_history',
    '.ksh_history',
    '.fish_history',
    '.python_history',
    '.node_repl_history',
    '.ts_node_repl_history',
    '.bun_repl_history',
    '.irb_history',
    '.irb-history',
    '.pry_history',
    '.php_history',
    '.psql_history',
    '.mysql_history',
    '.mariadb_history',
    '.sqlite_history',
    '.rediscli_history',
    '.mongosh_history',
    '.dbshell',
    '.lesshst',
    '.viminfo',
    '.wget-hsts',
    '.octave_hist',
    '.rhistory',
    '.scala_history',
    '.gdb_history',
  ]),
];

/** Histories that are not called by a name of their own. */
export const hiddenPlaces: readonly { readonly pattern: string; readonly reason: string }[] = [
  { pattern: '~/.local/share/fish', reason: 'shell history' },
  { pattern: '~/.local/state/zsh', reason: 'shell history' },
  { pattern: '~/.local/state/bash', reason: 'shell history' },
  { pattern: '~/.local/share/atuin', reason: 'shell history' },
  { pattern: '~/.config/atuin', reason: 'shell history' },
  { pattern: '~/.local/share/nushell', reason: 'shell history' },
  { pattern: '~/.config/nushell/history*', reason: 'shell history' },
  { pattern: '~/.local/share/mc/history', reason: 'history' },
  { pattern: '~/.local/share/nvim/shada', reason: 'editor history with copied text' },
  { pattern: '~/.local/state/nvim/shada', reason: 'editor history with copied text' },
  { pattern: '~/.mongodb/mongosh', reason: 'database history' },
  { pattern: '~/.julia/logs', reason: 'history of Julia' },
  { pattern: '~/.cache/mozilla', reason: 'what a browser has shown' },
  { pattern: '~/.cache/google-chrome', reason: 'what a browser has shown' },
  { pattern: '~/.cache/chromium', reason: 'what a browser has shown' },
  { pattern: '~/.cache/BraveSoftware', reason: 'what a browser has shown' },
  { pattern: '~/.cache/thunderbird', reason: 'mail' },
  { pattern: '~/.cache/evolution', reason: 'mail' },
  { pattern: '~/.cache/thumbnails', reason: 'pictures of the files of the user' },
  { pattern: '~/.cache/tracker3', reason: 'an index of the files of the user' },
  { pattern: '~/.claude/projects', reason: 'conversations of a coding agent' },
  { pattern: '~/.claude/history.jsonl', reason: 'conversations of a coding agent' },
  { pattern: '~/.codex/sessions', reason: 'conversations of a coding agent' },
  { pattern: '~/.codex/history.jsonl', reason: 'conversations of a coding agent' },
  { pattern: '~/.gemini/tmp', reason: 'conversations of a coding agent' },
];

function hidden(kind: 'secret' | 'history', reason: string, names: readonly string[]): readonly BuiltinName[] {
  return names.map((name) => ({
    components: [name],
    effect: 'hidden',
    except: [],
    scope: 'outside-packages',
    depth: 'beneath',
    kind,
    reason,
  }));
}
