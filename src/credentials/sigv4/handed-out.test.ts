import { expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { textBody } from '../../egress/http/interceptor.ts';
import { requestOf } from '../inject/testing/requests.ts';
import { signer, textOf } from './testing/resign.ts';

interface Asked {
  readonly service: string;
  readonly target?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
}

async function signed({
  service,
  target = '/',
  headers = [],
  body = 'Action=GetCallerIdentity',
}: Asked): Promise<string> {
  const { accessKeyId, resign } = signer();
  const scope = `${accessKeyId}/20150830/us-east-1/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`;
  const all: readonly (readonly [string, string])[] = [
    ['Authorization', authorization],
    ['X-Amz-Date', '20150830T123600Z'],
    ...headers,
  ];
  return textOf(await resign(requestOf({ method: 'POST', target, headers: all, body: textBody(body) })));
}

const role = 'AWSSecurityTokenServiceV20110615.AssumeRole';
const ecr = (name: string): Asked => ({ service: 'ecr', headers: [['X-Amz-Target', name]], body: '{}' });

test.each([
  ['a role, in the header of JSON beside a harmless form', { service: 'sts', headers: [['X-Amz-Target', role]] }],
  ['a role, in a path beside a harmless form', { service: 'sts', target: '/service/AWSSTS/operation/AssumeRole' }],
  [
    'a key of IAM, in the header',
    { service: 'iam', headers: [['X-Amz-Target', 'I.CreateAccessKey']], body: 'Action=GetUser' },
  ],
  ['a password, behind another sign', ecr('com.amazonaws.ecr#GetAuthorizationToken')],
  ['a password, behind a slash', ecr('ECR/GetAuthorizationToken')],
  ['a password, before a blank', ecr('ECR.GetAuthorizationToken ')],
  [
    'a token, with an escape of an escape',
    { service: 'codeartifact', target: '/v1/authorization%252Dtoken', body: '' },
  ],
] as readonly (readonly [string, Asked])[])('no signature hands out %s', async (_, asked) => {
  expect(await signed(asked)).toContain('would contain credentials that are valid outside the session');
});

/** Attack: to a server that ignores case, `STS` is STS, whose roles nobody here would look for. */
test.each(['STS', 'Iam', 'eCr'])('a scope of the service %s is malformed', async (service) => {
  expect(await signed({ service })).toContain('the scope of its signature is malformed');
});

test.each([
  ['who is asking', { service: 'sts' }],
  ['who is asking, said twice', { service: 'sts', headers: [['X-Amz-Target', 'STS.GetCallerIdentity']] }],
  ['users', { service: 'iam', body: 'Action=ListUsers' }],
  ['repositories', ecr('ECR.DescribeRepositories')],
] as readonly (readonly [string, Asked])[])('%s can be asked for', async (_, asked) => {
  expect(await signed(asked)).toBe('signed');
});

test('a long target is judged in linear time', async () => {
  const judge = (size: number): Promise<string> =>
    signed({ service: 'sts', headers: [['X-Amz-Target', `${'a'.repeat(size)}!`]] });
  expect(await growth(judge, 1 << 16)).toBeLessThan(linear);
});
