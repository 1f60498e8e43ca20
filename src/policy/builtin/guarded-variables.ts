/**
 * Variables that no wildcard lets into the box: they make programs load code, or look like secrets. They pass when a
 * policy names them exactly.
 */
export function isGuardedVariable(name: string): boolean {
  return loadsCode.test(name) || looksSecret.test(name) || secretNames.has(name);
}

/** Read by loaders, interpreters, shells, git and build tools before the program's own code runs. */
const loadsCode = new RegExp(
  `^(?:${[
    'LD_\\w*',
    'DYLD_\\w*',
    'GCONV_PATH',
    'GLIBC_TUNABLES',
    'MALLOC_\\w*',
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_REPL_EXTERNAL_MODULE',
    'PYTHON\\w*',
    'PERL5\\w*',
    'PERLLIB',
    'RUBY\\w*',
    'GEM_\\w*',
    'BUNDLE_\\w*',
    'LUA_\\w*',
    'PHPRC',
    'PHP_INI_SCAN_DIR',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'JDK_JAVA_OPTIONS',
    'DOTNET_STARTUP_HOOKS',
    'CORECLR_\\w*',
    'BASH_ENV',
    'BASH_FUNC_.*',
    'ENV',
    'SHELLOPTS',
    'BASHOPTS',
    'PROMPT_COMMAND',
    'PS[0-4]',
    'ZDOTDIR',
    'CDPATH',
    'GLOBIGNORE',
    'IFS',
    'GIT_\\w*',
    'SSH_ASKPASS',
    'LESSOPEN',
    'LESSCLOSE',
    'MANPAGER',
    'BROWSER',
    'RUSTC_WRAPPER',
    'RUSTFLAGS',
    'CARGO_\\w*_RUNNER',
    'GOFLAGS',
    'MAKEFLAGS',
    'npm_config_\\w*',
    'NPM_CONFIG_\\w*',
  ].join('|')})$`,
);

const looksSecret = /(?:^|_)(?:TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIAL|CREDENTIALS|APIKEY|KEY|PRIVATE|AUTH|COOKIE|DSN|SIGNATURE|JWT|PAT)(?:_|$)/i;

/** Secrets and doors to other programs whose names do not tell. */
const secretNames: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'MONGODB_URI',
  'MONGO_URL',
  'AMQP_URL',
  'KUBECONFIG',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XAUTHORITY',
  'NETRC',
  'PGPASSFILE',
  'PGSERVICEFILE',
  'VAULT_ADDR',
  'OP_SESSION',
]);
