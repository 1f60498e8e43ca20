import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { secretsIn } from '../scripts/false-alarms/secrets-in.ts';
import { scratchDirectory } from '../src/place/testing/scratch.ts';

const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\n-----END PRIVATE KEY-----\n';
const hex = '4f1c9a7be2d05836';

const secret: Readonly<Record<string, string>> = {
  'prod.env': 'DEBUG=false\nexport DB_PASSWORD="hunter22"\n',
  'a/app.env': `SESSION_SECRET=${hex}\n`,
  'b/app.env': `STRIPE_KEY=${hex}${hex}\n`,
  'c/app.env': 'DATABASE_URL=postgres://app:hunter22@db/app\n',
  'd/app.env': `REMOTE=https://${hex}${hex}@git.example.org/a\n`,
  'server.key': key,
  'server.pem': `-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n${key}`,
  'ssh/deploy_ed25519': key.replace('PRIVATE', 'OPENSSH PRIVATE'),
  'login.ppk.key': 'PuTTY-User-Key-File-3: ssh-ed25519\n',
  'secrets.yml': `production:\n  secret_key_base: ${hex}\n`,
  'secrets.toml': `[api]\ntoken = "${hex}"\n`,
  'credentials.json': `{"installed":{"client_secret":"GOCSPX-${hex}"}}\n`,
  'config/database.yml': 'production:\n  password: hunter22\n',
  'wp-config.php': "<?php\ndefine( 'DB_PASSWORD', 'hunter22' );\n",
  'env.php': "<?php return ['password' => 'hunter22'];\n",
  'settings.xml': '<server><password>hunter22</password></server>\n',
  'token.txt': `${hex}\n`,
  'a/local.yaml': `headers:\n  Authorization: Bearer ${hex}\n`,
  'b/local.yaml': `run: curl -H ghp_${hex}${hex} a\n`,
  'c/tokens.txt': `see ghp_example/ghp_${hex}${hex}\n`,
  'd/tokens.txt': `see ABSK${'aB3+/'.repeat(24)}\n`,
  'e/tokens.txt': `see pul-${hex}${hex}\n`,
  'app/local_settings.py': `SECRET_KEY = '${hex}'\n`,
  'requests.http': `GET https://own.invalid/\nAuthorization: Bearer ${hex}\n`,
  kubeconfig: `users:\n- user:\n    client-key-data: ${hex}\n`,
  private_key: key,
  '.ssh/work': key,
  'rotate-token': `${hex}${hex}\n`,
  'secrets/db': `${hex}\n`,
  'a/pull-secret.json': `{"auths":{"own.invalid":{"auth":"bWU6aHVudGVyMjI${hex}="}}}\n`,
  'arduino_secrets.h': '#define SECRET_SSID "home"\n#define SECRET_PASS "hunter22"\n',
  'prod.secret.exs': `config :app, App.Repo, password: "${hex}"\n`,
  'logins.csv': 'name,url,username,password\nown,https://own.invalid,me,hunter22\n',
  'wpa_supplicant.conf': 'network={\n  psk="hunter22"\n}\n',
  'a/.npmrc': `//own.invalid/:_authToken=${hex}\n`,
  'a/pip.conf': `[global]\nindex-url = https://you:${hex}@own.invalid/simple\n`,
  'bomb/.npmrc': `${'#'.repeat(60_000)}\n_password=${hex}\n`,
};

const harmless: Readonly<Record<string, string>> = {
  'public.env': 'DB_PASSWORD=changeme\nTOKEN=${TOKEN}\nSECRET=<your secret>\nPORT=8080\nMAX_TOKENS=4096000\n',
  'a/public.env':
    'PASSWORD_FILE=/run/secrets/password\nTOKEN_URL=https://login.example.org/token\nACCESS_TOKEN_TTL=86400\n',
  'b/public.env': 'DATABASE_URL=postgres://postgres:postgres@localhost:5432/app\nPASSWORD=password\nSECRET=xxxxxxxx\n',
  'c/public.env': 'API_TOKEN=ENC[AES256_GCM,data:abc]\nAPI_KEY=op://vault/item/field\nJWT_SECRET=\n',
  'ca.pem': '-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqh\n-----END CERTIFICATE-----\n',
  'apt.asc': '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQINBF\n',
  'public.key': '-----BEGIN PUBLIC KEY-----\nMIIEvQIBADANBgkqh\n-----END PUBLIC KEY-----\n',
  'slides.key': 'PK\u0003\u0004\u0014 index.apxl',
  'secrets.yml': `apiVersion: v1\nkind: ExternalSecret\nspec:\n  secretStoreRef:\n    name: vault\n  target:\n    secretName: app-secrets\n`,
  'auth.json': '{"type":"oauth","tokenUrl":"https://example.org/token","scopes":["a"]}\n',
  'secrets.paginators.json': '{"ListSecrets":{"input_token":"NextToken","output_token":"NextToken"}}\n',
  'tokens.json': '{"color":{"primary":{"value":"#336699"}},"space":{"small":"4px"}}\n',
  'src/secrets.ts': `export const password = '${hex}';\n`,
  'token.py': `token = '${hex}'\n`,
  'passwords.txt': '123456\nqwerty\nletmein\n',
  'server.key.example': key,
  'test/fixtures/server.key': key,
  'packages/a/__fixtures__/prod.env': `TOKEN=${hex}\n`,
  'node_modules/a/secrets.json': `{"token":"${hex}"}\n`,
  'values-prod.yaml': 'existingSecret: app-secrets\npasswordKey: password\n',
  'b/.npmrc': 'save-exact=true\n//own.invalid/:_authToken=${NPM_TOKEN}\n',
  'c/.yarnrc.yml': 'npmAuthToken: "${NPM_TOKEN:-}"\nnodeLinker: node-modules\n',
  'notes.txt': key,
  // Branches.
  '.git/refs/heads/token': `${hex}${hex}${hex.slice(8)}\n`,
  '.git/refs/remotes/origin/auth': `${hex}${hex}${hex.slice(8)}\n`,
  '.git/modules/a/refs/heads/server.key': `${hex}${hex}${hex.slice(8)}\n`,
  'a/auth.json': '{"auth":"oauth2","kind":"bearer"}\n',
  'b/arduino_secrets.h': '#define SECRET_SSID ""\n#define SECRET_PASS ""\n#define TOKEN_LENGTH 128\n',
  'a/passwords.csv': 'rank,count\n1,20\n',
  'secrets/README': 'Put the secrets of the application here.\n',
  'b/wpa_supplicant.conf': 'ctrl_interface=/var/run/wpa_supplicant\nupdate_config=1\n',
};

test.each([
  ['hides', secret, Object.keys(secret)],
  ['shows', harmless, []],
] as const)('the launcher %s files by their content', async (_, files, expected) => {
  const root = scratchDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  expect(await secretsIn(root)).toEqual(expected.toSorted());
});
