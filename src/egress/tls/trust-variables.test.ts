import { describe, expect, test } from 'vitest';
import { trustVariables, trustVariableTable } from './trust-variables.ts';

const paths = { bundle: '/t/bundle.pem', authority: '/t/authority.pem', java: '/t/trust.p12' };

describe('the variables of a box', () => {
  test('name the bundle to programs that believe nobody else then, and the authority to those that add it', () => {
    expect(trustVariables(paths)).toMatchObject({
      SSL_CERT_FILE: '/t/bundle.pem',
      REQUESTS_CA_BUNDLE: '/t/bundle.pem',
      CURL_CA_BUNDLE: '/t/bundle.pem',
      GIT_SSL_CAINFO: '/t/bundle.pem',
      PIP_CERT: '/t/bundle.pem',
      CARGO_HTTP_CAINFO: '/t/bundle.pem',
      AWS_CA_BUNDLE: '/t/bundle.pem',
      NODE_EXTRA_CA_CERTS: '/t/authority.pem',
      DENO_CERT: '/t/authority.pem',
      JAVA_TOOL_OPTIONS: '-Djavax.net.ssl.trustStore=/t/trust.p12 -Djavax.net.ssl.trustStoreType=PKCS12',
    });
  });

  test('keep what Java was told already', () => {
    expect(trustVariables(paths, '-Xmx1g')['JAVA_TOOL_OPTIONS']).toBe('-Xmx1g -Djavax.net.ssl.trustStore=/t/trust.p12 -Djavax.net.ssl.trustStoreType=PKCS12');
  });

  test('switch no check off, and stand there once', () => {
    const names = trustVariableTable.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(trustVariables(paths)).filter((name) => /VERIFY|REJECT|INSECURE|DISABLE|SKIP/u.test(name))).toEqual([]);
  });
});
