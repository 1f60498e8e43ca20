import type { Provider } from './provider.ts';

/** Hosts of repositories. git sends no password before it gets a refusal, so every request of git gets one. */
export const forgeProviders = {
  github: {
    title: 'GitHub',
    key: 'personal access token, or one of `gh auth token`',
    sources: [
      'https://cli.github.com/manual/gh_help_environment',
      'https://docs.github.com/en/rest/authentication/authenticating-to-the-rest-api',
      'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/',
    ],
    ways: [
      { hosts: ['api.github.com', 'uploads.github.com'], injection: { kind: 'bearer' }, use: 'phantom' },
      { name: 'git', hosts: ['github.com'], injection: { kind: 'git', user: 'x-access-token' }, use: 'always' },
    ],
    variables: [
      { name: 'GH_TOKEN', readBy: 'gh', delivered: 'always' },
      { name: 'GITHUB_TOKEN', readBy: 'gh, Octokit, agents', delivered: 'always' },
    ],
    baseUrls: [],
    shapes: [
      {
        of: 'personal access token (classic)',
        prefix: 'ghp_',
        alphabet: 'base62',
        length: 36,
        checksum: 'github-crc32',
      },
      { of: 'OAuth token of `gh`', prefix: 'gho_', alphabet: 'base62', length: 36, checksum: 'github-crc32' },
      {
        of: 'personal access token (fine-grained)',
        prefix: 'github_pat_',
        alphabet: 'base62',
        length: 82,
        checksum: 'none',
      },
    ],
    note: '`holdfast` puts the token into every request of git to github.com, whether the box shows the phantom or not.',
  },
  gitlab: {
    title: 'GitLab.com',
    key: 'personal, project or group access token',
    sources: [
      'https://docs.gitlab.com/api/rest/authentication/',
      'https://docs.gitlab.com/security/tokens/#token-prefixes',
      'https://gitlab.com/gitlab-org/cli#environment-variables',
    ],
    ways: [
      {
        hosts: ['gitlab.com'],
        paths: ['/api/*'],
        injection: { kind: 'header', name: 'PRIVATE-TOKEN' },
        use: 'phantom',
      },
      { name: 'git', hosts: ['gitlab.com'], injection: { kind: 'git', user: 'oauth2' }, use: 'always' },
    ],
    variables: [
      { name: 'GITLAB_TOKEN', readBy: 'glab, and libraries', delivered: 'always' },
      { name: 'GITLAB_ACCESS_TOKEN', readBy: 'glab', delivered: 'asked' },
    ],
    baseUrls: [],
    shapes: [{ of: 'personal access token', prefix: 'glpat-', alphabet: 'base64url', length: 37, checksum: 'none' }],
    note: 'An instance of your own is named by `hosts`.',
  },
  copilot: {
    title: 'GitHub Copilot',
    key: 'token of GitHub with access to Copilot',
    sources: [
      'https://docs.github.com/en/copilot/reference/copilot-allowlist-reference',
      'https://docs.github.com/en/copilot/how-tos/copilot-cli/set-up-copilot-cli/authenticate-copilot-cli',
    ],
    ways: [
      { hosts: ['api.githubcopilot.com', '*.githubcopilot.com'], injection: { kind: 'bearer' }, use: 'phantom' },
      {
        name: 'login',
        hosts: ['api.github.com'],
        paths: ['/copilot_internal/*', '/user'],
        methods: ['GET', 'POST'],
        injection: { kind: 'bearer' },
        use: 'phantom',
      },
    ],
    variables: [
      { name: 'COPILOT_GITHUB_TOKEN', readBy: 'Copilot CLI, before GH_TOKEN and GITHUB_TOKEN', delivered: 'always' },
    ],
    baseUrls: [],
    shapes: [
      { of: 'OAuth token of `gh`', prefix: 'gho_', alphabet: 'base62', length: 36, checksum: 'github-crc32' },
      {
        of: 'personal access token (fine-grained)',
        prefix: 'github_pat_',
        alphabet: 'base62',
        length: 82,
        checksum: 'none',
      },
    ],
    note: 'A client may exchange the token for a session token of Copilot (`/copilot_internal/v2/token`). It then has that token, which is valid for half an hour and only for Copilot.',
  },
} as const satisfies Readonly<Record<string, Provider>>;
