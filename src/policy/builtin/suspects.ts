/**
 * Names of files in which people keep secrets, and that harmless files have as well. A box gets such a file unless its
 * content holds a secret. The launcher leaves out sources, templates, and directories of tests and examples:
 * `native/src/launch/names/names.c`.
 */
export const suspectNames: readonly (readonly string[])[] = [
  // Variables of an environment.
  ['*.env', '*.env.*', 'env.*', '.flaskenv', '.rbenv-vars', '.environment', '.envs/*/.*'],
  // Keys.
  [
    '*.key',
    '*.pem',
    '*.pk8',
    '*.p8',
    '*.asc',
    '*.priv',
    '*_rsa',
    '*_dsa',
    '*_ecdsa',
    '*_ed25519',
    'id_*',
    'ssh_host_*',
  ],
  [
    '*-key.json',
    '*_key.json',
    'key.json',
    'keyfile.json',
    '*service*account*.json',
    '*-sa.json',
    'firebase*.json',
    'gcp*.json',
  ],
  ['wg*.conf', 'rootkey*.csv'],
  ['key.txt', 'keys.txt', 'apikey*', 'api_key*', 'api-key*'],
  // Files that say that they hold a secret.
  [
    'secrets',
    'secret',
    'credentials',
    'credential',
    'creds',
    'passwords',
    'password',
    'token',
    'tokens',
    'auth',
    'vault',
  ],
  ['secrets.*', 'secret.*', 'credentials.*', 'credential.*', 'creds.*', 'passwords.*', 'password.*', 'token.*'],
  ['tokens.*', 'auth.*', 'vault.*', '.auth.*', '.token', '.tokens', '.credentials', '.password', '.passwd', '.api_key'],
  ['*secret*.json', '*secret*.yml', '*secret*.yaml', '*secret*.toml', '*secret*.txt', '*.secret', '*.secrets'],
  ['*credential*.json', '*credential*.yml', '*credential*.yaml', '*credential*.csv', '*.credentials', '*creds*.json'],
  [
    '*password*.txt',
    '*passwd*.txt',
    '*.passwd',
    '*.password',
    '*.token',
    '*token*.txt',
    '*token*.json',
    '*accesskeys.csv',
  ],
  // Configuration of deployments.
  [
    '*.tfvars',
    '*.tfvars.json',
    '*.tfstate',
    '*.tfstate.*',
    '*.tfbackend',
    '*kubeconfig*',
    'values-*.yaml',
    'values.*.yaml',
  ],
  ['appsettings.*.json', 'application-*.properties', 'application-*.yml', 'application-*.yaml', 'bootstrap-*.yml'],
  [
    'database.yml',
    'database.ini',
    'wp-config.php',
    'parameters.yml',
    'local.xml',
    'env.php',
    'web.config',
    'jaas.conf',
  ],
  ['docker-compose.override.yml', 'compose.override.yml', 'inventory', 'inventory.ini', 'hosts.ini'],
  [
    'config.prod*.*',
    'config.local.*',
    'production.*',
    'prod.*',
    'local.*',
    '*.local.json',
    '*.local.yml',
    '*.local.yaml',
  ],
  [
    '*.local.toml',
    'keystore.properties',
    'key.properties',
    'signing.properties',
    'release.properties',
    'sentry.properties',
  ],
  // Configuration of tools. At the top, copies without secrets take the place of some of them.
  [
    'sftp.json',
    'sftp-config.json',
    'ftp-sync.json',
    '.ftpconfig',
    '.remote-sync.json',
    'deployment.xml',
    'webservers.xml',
  ],
  ['.wgetrc', '.curlrc', 'my.cnf', 'odbc.ini', '.odbc.ini', 'pip.ini', 'pip.conf', '.condarc', 'poetry.toml'],
  [
    'settings.xml',
    'nuget.config',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    'bunfig.toml',
    '.cargo/config',
    '.cargo/config.toml',
  ],
  ['.bundle/config', '.git/config', '.hg/hgrc', '.lftprc', 'gradle.properties', '.gitmodules', '.databrickscfg'],
  ['profiles.yml', 'ngrok.yml', '.snowsql/config', '.twilio-cli/config.json'],
  // Copies that editors and people leave of a store of keys.
  ['.npmrc~', '.npmrc.*', '.pypirc~', '.pypirc.*'],
  ['*.key~', '*.pem~', '*.key.bak', '*.pem.bak', '*.key.old', '*.pem.old'],
  // Requests of a client in an editor.
  ['*.http', '*.rest'],
  // Sources in which people keep the secrets of a site. The launcher judges no other source.
  ['local_settings.py', 'settings_local.py'],
]
  .flat()
  .map((name) => name.split('/'));
