import { anyOther, runsCommand, surfaceFamily, redirects, runs } from './row.ts';

const ideaValues = [
  ...runsCommand(
    '**.*PATH*.value',
    '**.*COMMAND*.value',
    '**.*EXECUTABLE*.value',
    '**.*SCRIPT*.value',
    '**.*INTERPRETER*.value',
    '**.*PARAMETERS*.value',
    '**.*HOME*.value',
  ),
  ...redirects('**.*URL*.value', '**.url'),
];

const runConfigurations = [...runsCommand('**.configuration.**'), ...ideaValues, ...anyOther];

/** IDEs of JetBrains. */
export const jetbrains = surfaceFamily(
  { clients: ['jetbrains'], gate: 'hidden', source: 'https://www.jetbrains.com/help/idea/project-security.html' },
  {
    'idea-workspace': {
      path: '.idea/workspace.xml',
      kind: 'editor',
      format: 'xml',
      fields: runConfigurations,
      source: 'https://www.jetbrains.com/help/idea/project-security.html; Mindgard 1.12',
    },
    'idea-run-configurations': {
      path: '.idea/runConfigurations/*.xml',
      kind: 'task',
      format: 'xml',
      fields: runConfigurations,
      source: 'https://www.jetbrains.com/help/idea/run-debug-configuration.html',
    },
    'idea-watchers': {
      path: '.idea/watcherTasks.xml',
      kind: 'task',
      format: 'xml',
      fields: runsCommand('**'),
      source: 'https://www.jetbrains.com/help/idea/using-file-watchers.html',
    },
    'idea-tools': {
      path: '.idea/tools/*.xml',
      kind: 'task',
      format: 'xml',
      fields: runsCommand('**'),
      source: 'https://www.jetbrains.com/help/idea/configuring-third-party-tools.html',
    },
    'idea-schemas': {
      path: '.idea/jsonSchemas.xml',
      kind: 'schema',
      format: 'xml',
      fields: redirects('**'),
      source: 'https://www.jetbrains.com/help/idea/json.html; Mindgard 3.3',
    },
    'idea-startup': {
      path: '.idea/startup.xml',
      kind: 'task',
      format: 'xml',
      fields: runs('**'),
      source: 'https://www.jetbrains.com/help/idea/settings-tools-startup-tasks.html',
    },
    'idea-files': { path: '.idea/*.xml', kind: 'editor', format: 'xml', fields: runConfigurations },
    'idea-directory': { path: '.idea/**', kind: 'editor' },
    'jetbrains-run': {
      path: '.run/*.run.xml',
      kind: 'task',
      format: 'xml',
      gate: 'listed',
      fields: runConfigurations,
      source:
        'https://www.jetbrains.com/help/idea/run-debug-configuration.html: it runs when someone presses the button',
    },
    'fleet-run': {
      path: '.fleet/run.json',
      kind: 'task',
      format: 'jsonc',
      fields: [...runsCommand('**.program', '**.args.**', '**.command'), ...anyOther],
      source: 'https://www.jetbrains.com/help/fleet/run-configurations.html',
    },
    'fleet-directory': { path: '.fleet/**', kind: 'editor', source: 'https://www.jetbrains.com/help/fleet' },
  },
);
