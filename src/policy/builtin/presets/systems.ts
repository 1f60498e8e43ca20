import type { Preset } from './services.ts';

/** Packages of operating systems, and container registries. */
export const systemPresets = {
  debian: {
    purpose: 'packages of Debian; APT checks their signatures, so HTTP is enough',
    sources: ['https://deb.debian.org/', 'https://www.debian.org/security/'],
    hosts: [
      { pattern: 'deb.debian.org:80', reason: 'packages over HTTP' },
      { pattern: 'deb.debian.org:443', reason: 'packages' },
      { pattern: 'security.debian.org:80', reason: 'security updates over HTTP' },
      { pattern: 'security.debian.org:443', reason: 'security updates' },
    ],
  },
  ubuntu: {
    purpose: 'packages of Ubuntu; APT checks their signatures, so HTTP is enough',
    sources: [
      'https://documentation.ubuntu.com/server/how-to/software/package-management/',
      'https://launchpad.net/ubuntu/+archivemirrors',
    ],
    hosts: [
      { pattern: 'archive.ubuntu.com:80', reason: 'packages' },
      { pattern: '*.archive.ubuntu.com:80', reason: 'mirrors by country' },
      { pattern: 'security.ubuntu.com:80', reason: 'security updates' },
      { pattern: 'ports.ubuntu.com:80', reason: 'packages for ARM and others' },
    ],
  },
  alpine: {
    purpose: 'packages of Alpine Linux',
    sources: ['https://wiki.alpinelinux.org/wiki/Repositories'],
    hosts: [
      { pattern: 'dl-cdn.alpinelinux.org:443', reason: 'packages' },
      { pattern: 'dl-cdn.alpinelinux.org:80', reason: 'packages over HTTP; apk checks their signatures' },
    ],
  },
  homebrew: {
    purpose: 'packages of Homebrew',
    sources: ['https://docs.brew.sh/Installation', 'https://formulae.brew.sh/docs/api/'],
    hosts: [
      { pattern: 'formulae.brew.sh:443', reason: 'the API' },
      { pattern: 'ghcr.io:443', reason: 'bottles' },
      { pattern: 'pkg-containers.githubusercontent.com:443', reason: 'bottles, redirected to' },
    ],
  },
  'docker-hub': {
    purpose: 'images of Docker Hub',
    sources: ['https://docs.docker.com/desktop/setup/allow-list/'],
    hosts: [
      { pattern: 'registry-1.docker.io:443', reason: 'manifests' },
      { pattern: 'auth.docker.io:443', reason: 'tokens' },
      { pattern: 'production.cloudflare.docker.com:443', reason: 'layers' },
      { pattern: 'production.cloudfront.docker.com:443', reason: 'layers' },
      {
        pattern: 'docker-images-prod.6aa30f8b08e16409b46e0173d6de2f56.r2.cloudflarestorage.com:443',
        reason: 'layers, in a bucket of Docker',
      },
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;
