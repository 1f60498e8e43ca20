/** A path that the base grants, and why a box without it would be of no use. */
export interface DefaultGrant {
  readonly pattern: string;
  readonly reason: string;
}

function grants(reason: string, patterns: readonly string[]): readonly DefaultGrant[] {
  return patterns.map((pattern) => ({ pattern, reason }));
}

/** Made anew for every box and never the host's, so nothing has to be protected in them and no ceiling is about them. */
export const privatePlaces: readonly DefaultGrant[] = [
  ...grants('temporary files, in memory, gone with the box', ['/tmp', '/var/tmp', '/dev/shm']),
  ...grants("the box's own devices and processes", ['/dev', '/proc', '/run/lock', '/run/holdfast']),
];

/** Programs, libraries and data of the system: the same for everyone on the machine. Ceilings do not take them away. */
export const systemReads: readonly DefaultGrant[] = [
  ...grants('programs and libraries of the system', ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/snap', '/nix', '/gnu/store', '/run/current-system', '/home/linuxbrew/.linuxbrew', '/var/lib/flatpak/runtime']),
  ...grants('configuration of the system', ['/etc', '/run/systemd/resolve/stub-resolv.conf', '/run/resolvconf']),
  ...grants('what package managers say is installed', ['/var/lib/dpkg', '/var/lib/apt/lists', '/var/lib/rpm', '/var/lib/pacman', '/var/lib/alternatives', '/var/cache/fontconfig', '/var/lib/ca-certificates', '/var/lib/locales']),
  ...grants('how many processors and how much memory there are', ['/sys/devices/system/cpu', '/sys/devices/system/node', '/sys/devices/virtual/dmi/id/product_name', '/sys/kernel/mm/transparent_hugepage', '/sys/fs/cgroup']),
];

/** The few places of a home directory that commands need. Everything else of it is hidden. */
export const homeReads: readonly DefaultGrant[] = [
  ...grants('programs that the user installed', ['~/.local/bin', '~/.local/lib', '~/.local/libexec', '~/bin', '~/.local/share/man', '~/.local/share/bash-completion', '~/.local/share/zsh/site-functions']),
  ...grants('Rust toolchain', ['~/.cargo/bin', '~/.cargo/env', '~/.cargo/config', '~/.cargo/config.toml', '~/.rustup']),
  ...grants('Node toolchains', ['~/.nvm', '~/.volta', '~/.fnm', '~/.local/share/fnm', '~/.local/state/fnm_multishells', '~/.n', '~/.nodenv', '~/.nodebrew', '~/.bun', '~/.deno', '~/.local/share/pnpm', '~/.npm-global', '~/.yarn/bin', '~/.config/yarn/global', '~/.corepack', '~/.cache/node/corepack']),
  ...grants('Python toolchains', ['~/.pyenv', '~/.local/share/uv', '~/.local/pipx', '~/.local/share/pipx', '~/.rye', '~/.local/share/hatch', '~/.local/share/virtualenvs', '~/.virtualenvs', '~/.poetry', '~/.local/share/pypoetry', '~/.conda', '~/anaconda3', '~/miniconda3', '~/miniforge3', '~/mambaforge', '~/micromamba']),
  ...grants('Go toolchain', ['~/go/bin', '~/go/pkg', '~/.go', '~/sdk', '~/.gvm', '~/.goenv']),
  ...grants('JVM toolchains', ['~/.sdkman', '~/.jenv', '~/.jabba', '~/.jdks', '~/.m2/wrapper', '~/.gradle/wrapper', '~/.local/share/coursier', '~/.sbt/boot', '~/.ivy2']),
  ...grants('toolchains of other languages', ['~/.rbenv', '~/.rvm', '~/.chruby', '~/.gem/ruby', '~/.local/share/gem/ruby', '~/.phpenv', '~/.dotnet', '~/.nuget/packages', '~/.swiftly', '~/.swiftpm', '~/.ghcup', '~/.cabal', '~/.stack', '~/.opam', '~/.elan', '~/.juliaup', '~/.julia', '~/.nimble', '~/.choosenim', '~/.zvm', '~/.zigup', '~/.asdf', '~/.local/share/mise', '~/.proto', '~/.flutter', '~/flutter', '~/.pub-cache', '~/.sdkroot', '~/perl5', '~/.plenv', '~/.luarocks', '~/.esy', '~/.mix', '~/.kerl', '~/.config/composer/vendor', '~/.composer/vendor', '~/.nix-profile', '~/.local/state/nix', '~/.guix-profile', '~/.linuxbrew']),
  ...grants('Android and browser test tools', ['~/Android/Sdk', '~/Library/Android/sdk']),
  ...grants('settings of git without its credentials', ['~/.gitconfig', '~/.config/git/config', '~/.config/git/ignore', '~/.config/git/attributes', '~/.gitignore', '~/.gitignore_global', '~/.gitattributes']),
  ...grants('settings of terminals and editors that hold no secrets', ['~/.inputrc', '~/.terminfo', '~/.dircolors', '~/.editorconfig', '~/.config/fontconfig', '~/.fonts', '~/.local/share/fonts', '~/.vimrc', '~/.vim', '~/.config/nvim', '~/.local/share/nvim', '~/.nanorc', '~/.config/nano', '~/.lesskey', '~/.config/locale.conf', '~/.config/bat', '~/.config/ripgrep', '~/.ripgreprc', '~/.ackrc', '~/.agignore', '~/.ignore', '~/.rgignore']),
];

/** The project itself. */
export const defaultWrites: readonly DefaultGrant[] = grants('the workspace', ['.']);

/** Caches that builds read and write. What a box writes there stays in it: a poisoned cache would outlive the session. */
export const ephemeralPlaces: readonly DefaultGrant[] = grants('caches of package managers and build tools', [
  '~/.cache',
  '~/Library/Caches',
  '~/.npm',
  '~/.node-gyp',
  '~/.yarn/berry/cache',
  '~/.local/share/pnpm',
  '~/.pnpm-store',
  '~/.bun/install/cache',
  '~/.cargo/registry',
  '~/.cargo/git',
  '~/.cargo/.package-cache',
  '~/.cargo/.global-cache',
  '~/.m2/repository',
  '~/.gradle/caches',
  '~/.gradle/daemon',
  '~/.gradle/native',
  '~/.ivy2/cache',
  '~/.sbt',
  '~/.konan',
  '~/go/pkg',
  '~/.nuget/packages',
  '~/.local/share/NuGet',
  '~/.gem/specs',
  '~/.bundle/cache',
  '~/.composer/cache',
  '~/.pub-cache',
  '~/.cabal/packages',
  '~/.stack/pantry',
  '~/.ccache',
  '~/.ccls-cache',
  '~/.mypy_cache',
  '~/.electron-gyp',
  '~/.android/cache',
  '~/.julia/compiled',
  '~/.hex/packages',
]);

/** Variables that programs need and that say nothing about the user's secrets. Everything else stays outside. */
export const passedVariables: readonly string[] = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'OLDPWD', 'HOSTNAME', 'SHLVL',
  'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TZDIR', 'LOCALE_ARCHIVE', 'NLSPATH',
  'TERM', 'COLORTERM', 'TERMINFO', 'TERMINFO_DIRS', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'COLUMNS', 'LINES', 'COLORFGBG', 'VTE_VERSION', 'WT_SESSION', 'KITTY_WINDOW_ID',
  'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'LS_COLORS', 'LSCOLORS', 'GREP_COLORS', 'GCC_COLORS',
  'EDITOR', 'VISUAL', 'PAGER', 'LESS', 'LESSCHARSET', 'MANWIDTH', 'SYSTEMD_PAGER',
  'CI', 'DEBUG', 'VERBOSE', 'NODE_ENV', 'RAILS_ENV', 'RACK_ENV', 'APP_ENV', 'MIX_ENV', 'RUST_BACKTRACE', 'RUST_LOG', 'DO_NOT_TRACK', 'SOURCE_DATE_EPOCH',
  'JAVA_HOME', 'JDK_HOME', 'MAVEN_HOME', 'M2_HOME', 'GRADLE_HOME', 'GRADLE_USER_HOME', 'SDKMAN_DIR', 'ANDROID_HOME', 'ANDROID_SDK_ROOT',
  'GOPATH', 'GOROOT', 'GOBIN', 'GOCACHE', 'GOMODCACHE', 'GOOS', 'GOARCH', 'CGO_ENABLED',
  'CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'CARGO_TARGET_DIR', 'CARGO_TERM_COLOR',
  'NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'N_PREFIX', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR', 'COREPACK_HOME', 'COREPACK_ENABLE_DOWNLOAD_PROMPT',
  'PYENV_ROOT', 'PYENV_VERSION', 'VIRTUAL_ENV', 'VIRTUAL_ENV_PROMPT', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'CONDA_EXE', 'UV_CACHE_DIR', 'PIPX_HOME', 'POETRY_HOME',
  'RBENV_ROOT', 'RBENV_VERSION', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'DOTNET_ROOT', 'DOTNET_CLI_TELEMETRY_OPTOUT', 'OPAMROOT', 'STACK_ROOT', 'PERLBREW_ROOT', 'HOMEBREW_PREFIX', 'HOMEBREW_CELLAR', 'HOMEBREW_REPOSITORY', 'NIX_PROFILES', 'NIX_SSL_CERT_FILE', 'SSL_CERT_FILE', 'SSL_CERT_DIR',
  'CC', 'CXX', 'AR', 'LD', 'CFLAGS', 'CXXFLAGS', 'CPPFLAGS', 'LDFLAGS', 'PKG_CONFIG_PATH', 'CMAKE_GENERATOR', 'CMAKE_PREFIX_PATH', 'NINJA_STATUS', 'JOBS', 'MANPATH', 'INFOPATH',
  'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_DATA_DIRS', 'XDG_CONFIG_DIRS',
];
