import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

const secret = chars('base64', 40);

export const samples: Samples = {
  found: [
    { why: 'in a credentials file', before: 'aws_secret_access_key = ', text: secret },
    { why: 'in an environment', before: 'AWS_SECRET_ACCESS_KEY=', text: secret },
    { why: 'in an answer of STS', before: '"SecretAccessKey": "', text: secret, after: '"' },
    { why: 'in source code', before: "secretAccessKey: '", text: secret, after: "'" },
    { why: 'in XML', before: '<SecretAccessKey>', text: secret, after: '</SecretAccessKey>' },
  ],
  ignored: [
    { why: 'no name stands before it', text: secret },
    { why: 'of the documentation', before: 'aws_secret_access_key = ', text: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    { why: 'a hash', before: 'aws_secret_access_key = ', text: chars('hex', 40) },
    { why: 'a longer text', before: 'aws_secret_access_key = ', text: `${secret}abc` },
    { why: 'the name of another variable', before: 'secretAccessKey: ', text: 'process.env.AWS_SECRET_ACCESS_KEY_OF_TEST' },
  ],
};
