import type { Feature } from './feature.ts';

/** The server that holds sandboxes. */
export const serve = {
  name: 'serve',
  commands: [
    {
      name: 'serve',
      module: 'serve/serve.ts',
      export: 'serveCommand',
      summary: 'hold sandboxes for editors, agents and terminals that come and go',
      section: 'servers',
    },
    {
      name: 'exec',
      module: 'serve/exec.ts',
      export: 'execCommand',
      summary: 'run a command in a session of the server',
      section: 'servers',
    },
    {
      name: 'ps',
      module: 'serve/ps.ts',
      export: 'psCommand',
      summary: 'list the sessions and commands of the server',
      section: 'servers',
    },
    {
      name: 'attach',
      module: 'serve/attach.ts',
      export: 'attachCommand',
      summary: 'look on at a command of the server, and type into it',
      section: 'servers',
    },
    {
      name: 'logs',
      module: 'serve/logs.ts',
      export: 'logsCommand',
      summary: 'print what a command of the server printed',
      section: 'servers',
    },
    {
      name: 'stop',
      module: 'serve/stop.ts',
      export: 'stopCommand',
      summary: 'end a command or a session of the server, or the server',
      section: 'servers',
    },
  ],
} as const satisfies Feature;
