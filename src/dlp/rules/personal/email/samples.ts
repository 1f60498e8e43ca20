import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'in a sentence', before: 'Write to ', text: 'maria.lindqvist@northwind-traders.se', after: '.' },
    { why: 'in brackets', before: 'Maria <', text: 'm.lindqvist+bills@mail.northwind.co.uk', after: '>' },
    { why: 'in JSON', before: '{"mail":"', text: 'o_brien@kilkenny.ie', after: '"}' },
    { why: 'in a link', before: 'mailto:', text: 'office@lindqvist.se', after: '?subject=x' },
    { why: 'in an address', before: '?to=', text: 'office@lindqvist.se' },
  ],
  ignored: [
    { why: 'of documents', text: 'maria@example.com' },
    { why: 'of documents, below them', text: 'maria@mail.example.org' },
    { why: 'of a repository', text: 'git@github.com:a/b.git' },
    { why: 'a picture', text: 'logo@2x.png' },
    { why: 'a version', text: 'left-pad@1.3.0' },
    { why: 'a package', text: "import x from '@scope/name'" },
    { why: 'a decorator', text: 'class A { @observable.ref b }' },
    { why: 'hidden by a service', text: '12345+maria@users.noreply.github.com' },
    { why: 'no domain', text: 'maria@localhost' },
    { why: 'nothing but signs before it', text: '***@lindqvist.se' },
  ],
};
