import {
  anyOther,
  runsCommand,
  connects,
  environmentFields,
  surfaceFamily,
  permits,
  redirects,
  runs,
  schema,
} from './row.ts';

const devcontainer = [
  ...runsCommand(
    'initializeCommand',
    'onCreateCommand',
    'updateContentCommand',
    'postCreateCommand',
    'postStartCommand',
    'postAttachCommand',
    'build.dockerfile',
    'dockerFile',
    'dockerComposeFile',
  ),
  ...runs(
    'image',
    'features.**',
    'runArgs',
    'mounts',
    'workspaceMount',
    'containerEnv.**',
    'remoteEnv.**',
    'customizations.**',
    'build.**',
    'overrideCommand',
  ),
  ...permits(
    'privileged',
    'capAdd',
    'securityOpt',
    'init',
    'containerUser',
    'remoteUser',
    'hostRequirements',
    'secrets',
  ),
  ...connects('forwardPorts', 'appPort'),
  ...schema,
  ...anyOther,
];

/** Containers and machines that an editor builds from the repository when it opens it. */
export const devcontainers = surfaceFamily(
  {
    clients: ['vscode', 'jetbrains', 'zed', 'any'],
    gate: 'hidden',
    source: 'https://containers.dev/implementors/json_reference/',
  },
  {
    devcontainer: {
      path: '.devcontainer/devcontainer.json',
      kind: 'devcontainer',
      format: 'jsonc',
      fields: devcontainer,
      source: 'https://containers.dev/implementors/json_reference/; Mindgard 1.6',
    },
    'devcontainer-named': {
      path: '.devcontainer/*/devcontainer.json',
      kind: 'devcontainer',
      format: 'jsonc',
      fields: devcontainer,
    },
    'devcontainer-directory': { path: '.devcontainer/**', kind: 'devcontainer' },
    'devcontainer-file': { path: '.devcontainer.json', kind: 'devcontainer', format: 'jsonc', fields: devcontainer },
    gitpod: {
      path: '.gitpod.yml',
      kind: 'devcontainer',
      format: 'yaml',
      clients: ['any'],
      fields: [...runsCommand('tasks'), ...runs('image', 'vscode'), ...connects('ports'), ...anyOther],
      source: 'https://www.gitpod.io/docs/classic/user/references/gitpod-yml',
    },
  },
);

const mise = [
  ...runs('env', 'tools', 'vars', 'alias', 'settings', 'plugins'),
  ...runsCommand('hooks', 'watch_files', 'tasks', 'task_config'),
  ...anyOther,
];

/** Files that take effect when someone enters the directory, and files of variables. */
export const environments = surfaceFamily(
  { clients: ['any'], gate: 'hidden', source: 'https://direnv.net/man/direnv.1.html' },
  {
    envrc: { path: '.envrc', kind: 'environment', source: 'https://direnv.net/man/direnv.1.html; Mindgard 1.6' },
    autoenv: { path: '.autoenv', kind: 'environment', source: 'https://github.com/hyperupcall/autoenv' },
    'autoenv-zsh': { path: '.autoenv.zsh', kind: 'environment', source: 'https://github.com/Tarrasch/zsh-autoenv' },
    mise: {
      path: 'mise.toml',
      kind: 'environment',
      format: 'toml',
      fields: mise,
      source: 'https://mise.jdx.dev/configuration.html',
    },
    'mise-hidden': {
      path: '.mise.toml',
      kind: 'environment',
      format: 'toml',
      fields: mise,
      source: 'https://mise.jdx.dev/configuration.html',
    },
    'mise-local': {
      path: 'mise.local.toml',
      kind: 'environment',
      format: 'toml',
      fields: mise,
      source: 'https://mise.jdx.dev/configuration.html',
    },
    'mise-local-hidden': {
      path: '.mise.local.toml',
      kind: 'environment',
      format: 'toml',
      fields: mise,
      source: 'https://mise.jdx.dev/configuration.html',
    },
    'mise-directory': { path: '.mise/**', kind: 'environment', source: 'https://mise.jdx.dev/configuration.html' },
    'mise-config': {
      path: '.config/mise.toml',
      kind: 'environment',
      format: 'toml',
      fields: mise,
      source: 'https://mise.jdx.dev/configuration.html',
    },
    'mise-config-directory': {
      path: '.config/mise/**',
      kind: 'environment',
      source: 'https://mise.jdx.dev/configuration.html',
    },
    rtx: {
      path: '.rtx.toml',
      kind: 'environment',
      format: 'toml',
      fields: mise,
      source: 'https://mise.jdx.dev/configuration.html',
    },
    // Already hidden as a secret (`policy/builtin/hidden.ts`). An approval must not bring its content into the box.
    dotenv: {
      path: '.env',
      kind: 'environment',
      format: 'dotenv',
      gate: 'listed',
      secrets: 'beside-fields',
      counts: 'with-fields',
      fields: environmentFields,
      source: 'Mindgard 3.5; CVE-2026-21852',
    },
    'dotenv-named': {
      path: '.env.*',
      kind: 'environment',
      format: 'dotenv',
      gate: 'listed',
      secrets: 'beside-fields',
      counts: 'with-fields',
      fields: environmentFields,
      source: 'Mindgard 3.5; CVE-2026-21852',
    },
  },
);

/** Policies for Holdfast itself. */
export const policies = surfaceFamily(
  { clients: ['any'], gate: 'listed', source: 'docs/policy.md: a project can only narrow the user policy' },
  {
    'holdfast-policy': { path: 'holdfast.toml', kind: 'policy', format: 'toml', fields: permits('**') },
    'holdfast-directory': { path: '.holdfast/**', kind: 'policy' },
  },
);

/** Any JSON or YAML file, because editors fetch its schema when it is opened. */
export const schemas = surfaceFamily(
  {
    clients: ['vscode', 'jetbrains', 'zed', 'any'],
    gate: 'listed',
    source: 'https://code.visualstudio.com/docs/languages/json#_json-schemas-and-settings; Mindgard 3.3',
  },
  {
    'json-schema-reference': {
      path: '*.json',
      kind: 'schema',
      format: 'jsonc',
      fields: redirects('$schema'),
      counts: 'with-fields',
    },
    'jsonc-schema-reference': {
      path: '*.jsonc',
      kind: 'schema',
      format: 'jsonc',
      fields: redirects('$schema'),
      counts: 'with-fields',
    },
  },
);
