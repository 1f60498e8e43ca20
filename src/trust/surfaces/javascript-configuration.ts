import { runsCommand, connects, surfaceFamily, redirects, runs, schema } from './row.ts';

/** Configuration of JavaScript tools, which can name code to run. */
export const javascriptConfiguration = surfaceFamily(
  { clients: ['any'], gate: 'listed', source: 'https://docs.npmjs.com/cli/using-npm/scripts' },
  {
    'eslint-config': {
      path: 'eslint.config.*',
      kind: 'script',
      source: 'https://eslint.org/docs/latest/use/configure/configuration-files; Mindgard 1.10',
    },
    'eslint-rc': {
      path: '.eslintrc*',
      kind: 'script',
      source: 'https://eslint.org/docs/latest/use/configure/configuration-files-deprecated; Mindgard 1.10',
    },
    'prettier-rc': { path: '.prettierrc*', kind: 'script', source: 'https://prettier.io/docs/configuration' },
    'prettier-config': { path: 'prettier.config.*', kind: 'script', source: 'https://prettier.io/docs/configuration' },
    'babel-config': { path: 'babel.config.*', kind: 'script', source: 'https://babeljs.io/docs/config-files' },
    'vite-config': { path: 'vite*.config.*', kind: 'script', source: 'https://vite.dev/config/' },
    'jest-config': { path: 'jest.config.*', kind: 'script', source: 'https://jestjs.io/docs/configuration' },
    'webpack-config': { path: 'webpack.config.*', kind: 'script', source: 'https://webpack.js.org/configuration/' },
    'rollup-config': { path: 'rollup.config.*', kind: 'script', source: 'https://rollupjs.org/configuration-options/' },
    'next-config': {
      path: 'next.config.*',
      kind: 'script',
      source: 'https://nextjs.org/docs/app/api-reference/config/next-config-js',
    },
    'postcss-config': {
      path: 'postcss.config.*',
      kind: 'script',
      source: 'https://github.com/postcss/postcss-load-config',
    },
    'playwright-config': {
      path: 'playwright.config.*',
      kind: 'script',
      source: 'https://playwright.dev/docs/test-configuration',
    },
    'cypress-config': {
      path: 'cypress.config.*',
      kind: 'script',
      source: 'https://docs.cypress.io/app/references/configuration',
    },
    gruntfile: { path: 'Gruntfile.*', kind: 'script', source: 'https://gruntjs.com/sample-gruntfile' },
    gulpfile: {
      path: 'gulpfile.*',
      kind: 'script',
      source: 'https://gulpjs.com/docs/en/getting-started/javascript-and-gulpfiles',
    },
    tsconfig: {
      path: 'tsconfig*.json',
      kind: 'script',
      format: 'jsonc',
      fields: [
        ...runs('compilerOptions.plugins', 'ts-node', 'extends'),
        ...redirects('compilerOptions.paths'),
        ...schema,
      ],
      counts: 'with-fields',
      source: 'https://www.typescriptlang.org/tsconfig/#plugins; Mindgard 1.10',
    },
    'nx-project': {
      path: 'project.json',
      kind: 'script',
      format: 'jsonc',
      fields: [...runsCommand('targets'), ...schema],
      counts: 'with-fields',
      source: 'https://nx.dev/reference/project-configuration',
    },
    'turbo-config': {
      path: 'turbo.json*',
      kind: 'script',
      format: 'jsonc',
      fields: [...runs('tasks', 'remoteCache'), ...redirects('remoteCache.apiUrl', 'remoteCache.loginUrl'), ...schema],
      source: 'https://turborepo.dev/docs/reference/configuration',
    },
    bunfig: {
      path: 'bunfig.toml',
      kind: 'registry',
      format: 'toml',
      fields: [
        ...runsCommand('preload', 'test.preload', 'run.shell'),
        ...redirects('install.registry', 'install.scopes'),
        ...runs('**'),
      ],
      source: 'https://bun.com/docs/runtime/bunfig',
      secrets: 'beside-fields',
    },
    'openapi-generator': {
      path: 'openapitools.json',
      kind: 'schema',
      format: 'jsonc',
      fields: [...connects('**.inputSpec', '**.repository.**'), ...schema],
      counts: 'with-fields',
      source: 'https://openapi-generator.tech/docs/usage; Mindgard 3.3',
    },
  },
);
