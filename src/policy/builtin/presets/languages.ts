import type { Preset } from './services.ts';

/** Package registries of programming languages. */
export const languagePresets = {
  npm: {
    purpose: 'packages of Node.js with npm, pnpm, Yarn and Bun',
    sources: ['https://docs.npmjs.com/cli/using-npm/registry', 'https://classic.yarnpkg.com/lang/en/docs/cli/config/'],
    hosts: [
      { pattern: 'registry.npmjs.org:443', reason: 'metadata and packages' },
      { pattern: 'registry.yarnpkg.com:443', reason: 'the same registry, under the name that Yarn 1 uses' },
    ],
  },
  node: {
    purpose: 'Node.js itself, and the headers that native modules are built with',
    sources: ['https://github.com/nodejs/node-gyp#readme', 'https://nodejs.org/dist/'],
    hosts: [{ pattern: 'nodejs.org:443', reason: 'releases and headers' }],
  },
  jsr: {
    purpose: 'packages of JSR',
    sources: ['https://jsr.io/docs/npm-compatibility', 'https://jsr.io/docs/api'],
    hosts: [
      { pattern: 'jsr.io:443', reason: 'modules and metadata' },
      { pattern: 'npm.jsr.io:443', reason: 'the same for npm clients' },
    ],
  },
  pypi: {
    purpose: 'packages of Python with pip, uv and Poetry',
    sources: ['https://docs.pypi.org/api/', 'https://warehouse.pypa.io/architecture.html'],
    hosts: [
      { pattern: 'pypi.org:443', reason: 'index and metadata' },
      { pattern: 'files.pythonhosted.org:443', reason: 'packages' },
    ],
  },
  conda: {
    purpose: 'packages of conda and conda-forge',
    sources: ['https://docs.conda.io/projects/conda/en/latest/user-guide/configuration/settings.html'],
    hosts: [
      { pattern: 'conda.anaconda.org:443', reason: 'channels such as conda-forge' },
      { pattern: 'repo.anaconda.com:443', reason: 'the default channels' },
    ],
  },
  crates: {
    purpose: 'packages of Rust with Cargo',
    sources: ['https://doc.rust-lang.org/cargo/reference/registry-index.html', 'https://crates.io/data-access'],
    hosts: [
      { pattern: 'index.crates.io:443', reason: 'the sparse index' },
      { pattern: 'static.crates.io:443', reason: 'packages' },
      { pattern: 'crates.io:443', reason: 'search and metadata' },
    ],
  },
  rustup: {
    purpose: 'toolchains of Rust with rustup',
    sources: ['https://rust-lang.github.io/rustup/environment-variables.html'],
    hosts: [{ pattern: 'static.rust-lang.org:443', reason: 'toolchains and their manifests' }],
  },
  go: {
    purpose:
      'modules of Go. Some archives are redirected to storage.googleapis.com, where anyone can publish; open it yourself if you need it',
    sources: ['https://go.dev/ref/mod#module-proxy', 'https://go.dev/ref/mod#checksum-database'],
    hosts: [
      { pattern: 'proxy.golang.org:443', reason: 'modules' },
      { pattern: 'sum.golang.org:443', reason: 'checksums' },
    ],
  },
  maven: {
    purpose: 'packages of Java from Maven Central',
    sources: [
      'https://maven.apache.org/guides/introduction/introduction-to-the-pom.html#super-pom',
      'https://central.sonatype.org/consume/',
    ],
    hosts: [
      { pattern: 'repo.maven.apache.org:443', reason: 'packages, as Maven names it' },
      { pattern: 'repo1.maven.org:443', reason: 'packages, as Gradle and others name it' },
    ],
  },
  gradle: {
    purpose: 'Gradle itself and its plugins',
    sources: [
      'https://docs.gradle.org/current/userguide/gradle_wrapper.html',
      'https://docs.gradle.org/current/userguide/plugins.html',
    ],
    hosts: [
      { pattern: 'services.gradle.org:443', reason: 'distributions' },
      { pattern: 'downloads.gradle.org:443', reason: 'distributions, redirected to' },
      { pattern: 'plugins.gradle.org:443', reason: 'plugins' },
      { pattern: 'plugins-artifacts.gradle.org:443', reason: 'plugins, redirected to' },
    ],
  },
  rubygems: {
    purpose: 'packages of Ruby',
    sources: [
      'https://guides.rubygems.org/rubygems-org-api/',
      'https://guides.rubygems.org/rubygems-org-compact-index-api/',
    ],
    hosts: [
      { pattern: 'rubygems.org:443', reason: 'packages and metadata' },
      { pattern: 'index.rubygems.org:443', reason: 'the compact index' },
    ],
  },
  nuget: {
    purpose: 'packages of .NET',
    sources: ['https://learn.microsoft.com/nuget/api/overview'],
    hosts: [
      { pattern: 'api.nuget.org:443', reason: 'index and packages' },
      { pattern: 'globalcdn.nuget.org:443', reason: 'packages, redirected to' },
    ],
  },
  packagist: {
    purpose: 'metadata of PHP packages with Composer; the packages are on hosts that their authors choose',
    sources: ['https://packagist.org/apidoc'],
    hosts: [
      { pattern: 'repo.packagist.org:443', reason: 'metadata' },
      { pattern: 'packagist.org:443', reason: 'search' },
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;
