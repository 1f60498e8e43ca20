import { providers } from '../../policy/builtin/providers/index.ts';
import type { FieldPattern } from '../types.ts';
import { redirects, runs } from './row.ts';

/** Variables of a file of variables that send a client elsewhere, or that make programs load code; others are no concern of trust. */
export const environmentFields: readonly FieldPattern[] = [
  ...redirects(...baseUrlNames(), '*_BASE_URL', '*_API_BASE', '*_API_URL', '*_API_HOST', '*_ENDPOINT', '*_ENDPOINT_URL*', '*_PROXY', '*_REGISTRY', '*_INDEX_URL', 'OLLAMA_HOST', 'CLAUDE_CODE_USE_*', 'GOOGLE_GENAI_USE_*'),
  ...runs('LD_*', 'DYLD_*', 'GCONV_PATH', 'GLIBC_TUNABLES', 'NODE_*', 'NPM_CONFIG_*', 'YARN_*', 'PNPM_*', 'PYTHON*', 'PIP_*', 'UV_*', 'PERL*', 'RUBY*', 'GEM_*', 'BUNDLE_*', 'LUA_*', 'PHPRC', 'PHP_INI_*', '*JAVA*_OPTIONS', 'MAVEN_*', 'GRADLE_*', 'DOTNET_*', 'CORECLR_*'),
  ...runs('PATH', 'SHELL', 'BASH_*', 'ENV', 'SHELLOPTS', 'PROMPT_COMMAND', 'PS?', 'ZDOTDIR', 'CDPATH', 'IFS', 'GIT_*', 'SSH_ASKPASS', 'LESSOPEN', 'LESSCLOSE', '*PAGER', '*EDITOR', 'VISUAL', 'BROWSER', 'RUST*', 'CARGO_*', 'CC', 'CXX', 'LD', 'MAKEFLAGS', 'HOME', 'XDG_*', 'TMPDIR', '*_CONFIG_FILE', '*_CONFIG_DIR'),
];

function baseUrlNames(): readonly string[] {
  return [...new Set(Object.values(providers).flatMap(({ baseUrls }) => baseUrls.map(({ name }) => name)))];
}
