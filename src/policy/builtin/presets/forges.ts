import type { Preset } from './services.ts';

/** Hosts of repositories. Anyone who may push there may also exfiltrate data, so the purpose says so. */
export const forgePresets = {
  github: {
    purpose: 'repositories, releases and the API of GitHub',
    sources: [
      'https://api.github.com/meta',
      'https://docs.github.com/en/actions/concepts/runners/communicating-with-self-hosted-runners',
    ],
    hosts: [
      { pattern: 'github.com:443', reason: 'git over HTTPS, and web pages' },
      { pattern: 'github.com:22', reason: 'git over SSH' },
      { pattern: 'ssh.github.com:443', reason: 'git over SSH where port 22 is closed' },
      { pattern: 'api.github.com:443', reason: 'the API' },
      { pattern: 'uploads.github.com:443', reason: 'files of releases, sent' },
      { pattern: 'codeload.github.com:443', reason: 'archives of repositories' },
      { pattern: 'raw.githubusercontent.com:443', reason: 'single files' },
      { pattern: 'objects.githubusercontent.com:443', reason: 'files of releases and LFS' },
      { pattern: 'release-assets.githubusercontent.com:443', reason: 'files of releases' },
      { pattern: 'media.githubusercontent.com:443', reason: 'LFS files' },
      { pattern: 'github-cloud.githubusercontent.com:443', reason: 'LFS files' },
      { pattern: 'github-cloud.s3.amazonaws.com:443', reason: 'LFS files, in a bucket of GitHub' },
    ],
  },
  'github-packages': {
    purpose: 'containers and packages on GitHub',
    sources: ['https://docs.github.com/en/packages/working-with-a-github-packages-registry'],
    hosts: [
      { pattern: 'ghcr.io:443', reason: 'containers' },
      { pattern: 'npm.pkg.github.com:443', reason: 'packages of Node.js' },
      { pattern: 'maven.pkg.github.com:443', reason: 'packages of Java' },
      { pattern: 'pkg-containers.githubusercontent.com:443', reason: 'layers of containers' },
      { pattern: 'pkg-npm.githubusercontent.com:443', reason: 'packages, redirected to' },
    ],
  },
  gitlab: {
    purpose: 'repositories and the API of GitLab.com',
    sources: ['https://docs.gitlab.com/user/gitlab_com/'],
    hosts: [
      { pattern: 'gitlab.com:443', reason: 'git over HTTPS, the API, and packages' },
      { pattern: 'gitlab.com:22', reason: 'git over SSH' },
      { pattern: 'altssh.gitlab.com:443', reason: 'git over SSH where port 22 is closed' },
      { pattern: 'registry.gitlab.com:443', reason: 'containers' },
    ],
  },
  bitbucket: {
    purpose: 'repositories and the API of Bitbucket',
    sources: [
      'https://support.atlassian.com/bitbucket-cloud/docs/what-are-the-bitbucket-cloud-ip-addresses-i-should-use-to-configure-my-corporate-firewall/',
    ],
    hosts: [
      { pattern: 'bitbucket.org:443', reason: 'git over HTTPS' },
      { pattern: 'bitbucket.org:22', reason: 'git over SSH' },
      { pattern: 'altssh.bitbucket.org:443', reason: 'git over SSH where port 22 is closed' },
      { pattern: 'api.bitbucket.org:443', reason: 'the API' },
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;
