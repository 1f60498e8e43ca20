/**
 * Whether a variable names code that loaders, interpreters, shells, git or build tools run before the program's own.
 * Anyone who sets one decides what runs.
 */
export function loadsCode(name: string): boolean {
  return pattern.test(name);
}

/**
 * Whether a variable loads code, or chooses a program or a configuration. The latter are harmless in the user's own
 * environment, but not if a command line sets them.
 */
export function redirectsCode(name: string): boolean {
  return pattern.test(name) || places.test(name);
}

const pattern = new RegExp(
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
  'u',
);

const places = new RegExp(
  `^(?:${[
    'PATH',
    'HOME',
    'SHELL',
    'XDG_(?:CONFIG|DATA)_(?:HOME|DIRS)',
    '\\w*PAGER',
    '\\w*EDITOR',
    'VISUAL',
    '\\w*_ASKPASS',
    '\\w*_RSH',
    '\\w*_SSH',
    'LESS',
    'MORE',
    'MANOPT',
    'TAR_OPTIONS',
    'ZIPOPT',
    'RIPGREP_CONFIG_PATH',
    'FZF_DEFAULT_(?:COMMAND|OPTS|OPTS_FILE)',
    'BASH_LOADABLES_PATH',
    'BASH_ALIASES',
    'BASH_CMDS',
    'FPATH',
    'HISTFILE',
    'HISTCONTROL',
    'CURL_HOME',
    'WGETRC',
    'SYSTEM_WGETRC',
    'AWKPATH',
    'AWKLIBPATH',
    'GAWK_\\w*',
    'CLASSPATH',
    '(?:JAVA|MAVEN|GRADLE|SBT|KOTLIN|SCALA)_OPTS',
    'CARGO_\\w*',
    'RUSTC\\w*',
    'RUSTDOC\\w*',
    'GO(?:ROOT|TOOLDIR|TOOLCHAIN|ENV|PROXY|PATH|BIN)',
    'CC|CXX|CPP|LD|AR|AS|FC',
    'CMAKE_\\w*',
    'MAKEFILES',
    'GNUMAKEFLAGS',
    'CONFIG_SHELL',
    'COMPILER_PATH',
    'GCC_EXEC_PREFIX',
    'PIP_\\w*',
    'UV_\\w*',
    'YARN_\\w*',
    'PNPM_\\w*',
    'COREPACK_\\w*',
    'VIMINIT|EXINIT|NVIM\\w*|VIMRUNTIME|EMACSLOADPATH',
    'TCLLIBPATH',
    'R_(?:PROFILE|ENVIRON)\\w*',
    'JULIA_\\w*',
    'ERL_\\w*',
    'ELIXIR_\\w*',
    'OPENSSL_(?:CONF|ENGINES|MODULES)',
    'GTK_\\w*|GIO_\\w*|QT_\\w*',
    'GNUPGHOME',
    'HGRCPATH',
    'ANSIBLE_\\w*',
    'TF_\\w*',
    'DOCKER_(?:HOST|CONFIG|CONTEXT)',
    'KUBECONFIG',
  ].join('|')})$`,
  'u',
);

/** Values with which such a variable runs nothing, and only removes a feature. */
const harmlessValues: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:GIT_|MAN|SYSTEMD_|GH_|AWS_|PSQL_|BAT_)?PAGER$/u, /^(?:cat)?$/u],
  [/^GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|NO_LAZY_FETCH|ADVICE|LITERAL_PATHSPECS)$/u, /^[01]$/u],
  [/^LESS$/u, /^-?[FRXSKMiN]*$/u],
  [/^PYTHON(?:DONTWRITEBYTECODE|UNBUFFERED|UTF8)$/u, /^[01]$/u],
  [/^PYTHONIOENCODING$/u, /^utf-?8$/iu],
  [/^PATH$/u, /^\/(?:usr\/(?:local\/)?)?s?bin(?::\/(?:usr\/(?:local\/)?)?s?bin)*$/u],
];

/** Whether a setting cannot decide what runs, although another value of the variable could. */
export function isHarmlessSetting(name: string, value: string | undefined): boolean {
  return value !== undefined && harmlessValues.some(([names, values]) => names.test(name) && values.test(value));
}
