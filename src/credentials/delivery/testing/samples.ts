import type { CredentialFormat } from '../../../policy/credentials/types.ts';

/** A typical credential file. */
export interface Sample {
  readonly format: CredentialFormat;
  readonly name: string;
  readonly text: string;
  /** Secret fields in order: `role user@host:port=value`, without missing parts. */
  readonly fields: readonly string[];
}

const jwt = `${part({ alg: 'RS256' })}.${part({ sub: 'someone', exp: 9 })}.EXAMPLEsignature`;

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export const samples: readonly Sample[] = [
  { format: 'text', name: 'a token in a line of its own', text: '  EXAMPLE-token\n', fields: ['secret=EXAMPLE-token'] },
  { format: 'text', name: 'nothing but blanks', text: ' \n', fields: [] },
  {
    format: 'netrc',
    name: 'one line',
    text: 'machine API.example.com login me password hunter2\n',
    fields: ['secret me@api.example.com=hunter2'],
  },
  {
    format: 'netrc',
    name: 'many lines, a default and a comment',
    text: '# password no\nmachine a.example\n  login a\n  password one\ndefault login anonymous password two\n',
    fields: ['secret a@a.example=one', 'secret anonymous@=two'],
  },
  {
    format: 'netrc',
    name: 'a quoted password',
    text: 'machine a.example password "a \\"b\\" c" login x',
    fields: ['secret a.example=a "b" c'],
  },
  {
    format: 'netrc',
    name: 'a macro that speaks of passwords',
    text: 'machine a.example login me password real\nmacdef init\ncd password\npassword fake\n\nmachine b.example password more\n',
    fields: ['secret me@a.example=real', 'secret b.example=more'],
  },
  {
    format: 'netrc',
    name: 'a machine that is called password',
    text: 'machine password login login password machine',
    fields: ['secret login@password=machine'],
  },
  {
    format: 'npmrc',
    name: 'a registry with a port and a path',
    text: 'registry=https://npm.example.com/\n//npm.example.com:8443/team/:_authToken=EXAMPLE\n',
    fields: ['secret npm.example.com:8443=EXAMPLE'],
  },
  {
    format: 'npmrc',
    name: 'a variable is not a secret',
    text: '//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n',
    fields: [],
  },
  {
    format: 'npmrc',
    name: 'user and password in base64',
    text: '//r.example/:_auth=bWU6cGFzczp3b3Jk\n//r.example/:_password=c2VjcmV0\n',
    fields: ['secret me@r.example=pass:word', 'secret r.example=secret'],
  },
  {
    format: 'npmrc',
    name: 'a token for every registry, and a key',
    text: '; comment\n_authToken = EXAMPLE\nkey="PEM"\n',
    fields: ['secret=EXAMPLE', 'key="PEM"'],
  },
  {
    format: 'pgpass',
    name: 'fields with escapes',
    text: '# comment:a:b:c:d\ndb.example.com:5432:app:me:pa\\:ss\\\\word\n*:*:*:*:any\n',
    fields: ['secret me@db.example.com:5432=pa:ss\\word', 'secret=any'],
  },
  {
    format: 'pip',
    name: 'URLs with passwords',
    text: '[global]\nindex-url = https://__token__:pypi-EXAMPLE@pypi.example/simple\nextra-index-url =\n    https://a:b%40c@one.example:8443/\n    https://two.example/\n',
    fields: ['secret __token__@pypi.example=pypi-EXAMPLE', 'secret a@one.example:8443=b@c'],
  },
  {
    format: 'git',
    name: 'what git-credential-store keeps',
    text: 'https://me:ghp_EXAMPLE@github.com\nhttps://ghp_ALONE@git.example\nhttps://no.example/\n',
    fields: ['secret me@github.com=ghp_EXAMPLE', 'secret git.example=ghp_ALONE'],
  },
  {
    format: 'aws',
    name: 'profiles',
    text: '[default]\naws_access_key_id=AKIAEXAMPLE\naws_secret_access_key = one/two+three\n[profile dev]\naws_session_token=EXAMPLE==\nregion=eu-west-1\n',
    fields: ['accessKeyId default@=AKIAEXAMPLE', 'secret default@=one/two+three', 'sessionToken dev@=EXAMPLE=='],
  },
  {
    format: 'gcloud',
    name: 'of a person',
    text: '{\n  "client_id": "id",\n  "client_secret": "cs",\n  "refresh_token": "1//EXAMPLE",\n  "type": "authorized_user"\n}',
    fields: ['key=cs', 'secret=1//EXAMPLE'],
  },
  {
    format: 'gcloud',
    name: 'of a service',
    text: '{"type":"service_account","private_key":"-----BEGIN EXAMPLE-----\\nx\\n","client_email":"a@b"}',
    fields: ['key=-----BEGIN EXAMPLE-----\nx\n'],
  },
  {
    format: 'docker',
    name: 'auths',
    text: '{"auths":{"https://index.docker.io/v1/":{"auth":"bWU6cGFzcw=="},"r.example:5000":{"identitytoken":"EXAMPLE"}},"credsStore":"none"}',
    fields: ['secret me@index.docker.io=pass', 'secret r.example=EXAMPLE'],
  },
  {
    format: 'kubeconfig',
    name: 'YAML with two users',
    text: `apiVersion: v1\nclusters:\n- name: c\n  cluster:\n    server: https://K8S.example:6443\n    certificate-authority-data: QQ==\ncontexts:\n- name: x\n  context:\n    cluster: c\n    user: u\nusers:\n- name: u\n  user:\n    token: ${jwt}\n- name: v\n  user:\n    client-key-data: 'S0VZ'\n    username: me\n    password: "p w"\n`,
    fields: [`secret u@k8s.example:6443=${jwt}`, 'key v@=S0VZ', 'secret v@=p w'],
  },
  {
    format: 'kubeconfig',
    name: 'JSON',
    text: '{"users":[{"name":"u","user":{"token":"EXAMPLE"}}]}',
    fields: ['secret u@=EXAMPLE'],
  },
  {
    format: 'json',
    name: 'keys that are called like secrets',
    text: '{"apiKey":"one","nested":{"db_password":"two","token_count":"3","list":[{"secret":"four"}]},"user":"me","tokens":["five"]}',
    fields: ['secret=one', 'secret=two', 'secret=four', 'secret=five'],
  },
  {
    format: 'dotenv',
    name: 'names that say so',
    text: '# TOKEN=no\nexport API_KEY="a \\"b\\""\nNAME=me\nDB_PASSWORD=\'x y\'\nTOKEN=plain # comment\nEMPTY_TOKEN=\n',
    fields: ['secret=a "b"', 'secret=x y', 'secret=plain'],
  },
];
