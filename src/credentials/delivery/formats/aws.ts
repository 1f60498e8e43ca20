import { asIs, type FieldReader, type FieldRole } from '../fields.ts';
import { iniEntries } from './ini.ts';

/** `~/.aws/credentials`. Source: AWS SDKs and Tools reference, "Credentials file". `user` is the profile. The last row is boto's name of a session token. */
export const awsFields: FieldReader = (text) =>
  iniEntries(text, 'equals-or-colon').flatMap(({ section, key, value, start, end }) => {
    const role = roles[key.toLowerCase()];
    return role === undefined ? [] : [{ start, end, value, encode: asIs, role, user: section.replace(/^profile\s+/u, '') }];
  });

const roles: Readonly<Record<string, FieldRole>> = { aws_access_key_id: 'accessKeyId', aws_secret_access_key: 'secret', aws_session_token: 'sessionToken', aws_security_token: 'key' };
