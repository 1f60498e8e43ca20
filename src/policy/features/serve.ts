import type { Feature } from './feature.ts';

/** The server for sandboxes. */
export const serve = {
  name: 'serve',
  commands: [
    {
      name: 'serve',
      module: 'serve/serve.ts',
      export: 'serveCommand',
      summary: 'Keep sandboxes open for editors, agents and terminals',
      section: 'run',
    },
    {
      name: 'exec',
      module: 'serve/exec.ts',
      export: 'execCommand',
      summary: 'Run a command in a session of the server',
      section: 'run',
    },
    {
      name: 'ps',
      module: 'serve/ps.ts',
      export: 'psCommand',
      summary: 'List the sessions and commands of the server',
      section: 'run',
    },
    {
      name: 'attach',
      module: 'serve/attach.ts',
      export: 'attachCommand',
      summary: 'Watch a command of the server and type into it',
      section: 'run',
    },
    {
      name: 'logs',
      module: 'serve/logs.ts',
      export: 'logsCommand',
      summary: 'Print the output of a command of the server',
      section: 'run',
    },
    {
      name: 'stop',
      module: 'serve/stop.ts',
      export: 'stopCommand',
      summary: 'Stop a command, a session or the server',
      section: 'run',
    },
  ],
} as const satisfies Feature;
