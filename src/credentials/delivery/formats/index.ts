import type { CredentialFormat } from '../../../policy/index.ts';
import { asIs, type FieldReader } from '../fields.ts';
import { awsFields } from './aws.ts';
import { dockerFields } from './docker.ts';
import { dotenvFields } from './dotenv.ts';
import { iniEntries } from './ini.ts';
import { gcloudFields, jsonFields } from './json.ts';
import { kubeconfigFields } from './kubeconfig.ts';
import { netrcFields } from './netrc.ts';
import { npmrcFields } from './npmrc.ts';
import { pgpassFields } from './pgpass.ts';
import { urlPasswords } from './url-password.ts';

/** Where each format keeps its secrets. */
export const formats: Readonly<Record<CredentialFormat, FieldReader>> = {
  text: (text) => {
    const value = text.trim();
    const start = text.indexOf(value);
    return value === '' ? [] : [{ start, end: start + value.length, value, encode: asIs, role: 'secret' }];
  },
  netrc: netrcFields,
  npmrc: npmrcFields,
  pgpass: pgpassFields,
  // Source: pip documentation, "Configuration" and "Authentication".
  pip: (text) => iniEntries(text, 'equals-or-colon').flatMap(({ value, start }) => urlPasswords(value, start)),
  // Source: git-credential-store(1).
  git: (text) => urlPasswords(text),
  kubeconfig: kubeconfigFields,
  aws: awsFields,
  gcloud: gcloudFields,
  docker: dockerFields,
  json: jsonFields,
  dotenv: dotenvFields,
};
