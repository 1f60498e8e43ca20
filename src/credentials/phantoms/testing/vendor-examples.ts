/** An invented example of a vendor's key, and the form of its phantom. */
export interface VendorExample {
  readonly vendor: string;
  readonly like: string;
  readonly looks: RegExp;
}

/** `a`: the given number of letters and digits of both cases, which are no key. */
function a(length: number): string {
  return 'EXAMPLEexample0189'.repeat(20).slice(0, length);
}

function hex(length: number): string {
  return 'e8a9b1c0d'.repeat(20).slice(0, length);
}

export const jwtExample = `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"example","aud":"tests"}').toString('base64url')}.${a(342)}`;

/**
 * Lengths from the vendors' documentation. If the real key has fewer than 128 bits besides the tag, the phantom is
 * longer.
 */
export const vendorExamples: readonly VendorExample[] = [
  { vendor: 'GitHub, classic', like: `ghp_${a(36)}`, looks: /^ghp_[0-9A-Za-z]{36}$/u },
  {
    vendor: 'GitHub, fine-grained',
    like: `github_pat_${a(22)}_${a(59)}`,
    looks: /^github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}$/u,
  },
  { vendor: 'GitHub, app', like: `ghs_${a(36)}`, looks: /^ghs_[0-9A-Za-z]{36}$/u },
  { vendor: 'GitLab', like: 'glpat-EXAMPLE-example_0189', looks: /^glpat-[\w-]{30}$/u },
  { vendor: 'npm', like: `npm_${a(36)}`, looks: /^npm_[0-9A-Za-z]{36}$/u },
  { vendor: 'PyPI', like: `pypi-AgEIcHlwaS5vcmc${a(150)}-_`, looks: /^pypi-AgEIcHlwaS5vcmc[\w-]{152}$/u },
  { vendor: 'Anthropic', like: `sk-ant-api03-${a(80)}_-${a(11)}AA`, looks: /^sk-ant-api03-[\w-]{95}$/u },
  { vendor: 'OpenAI, project', like: `sk-proj-${a(74)}T3BlbkFJ${a(72)}_-`, looks: /^sk-proj-[\w-]{156}$/u },
  { vendor: 'OpenAI, old', like: `sk-${a(48)}`, looks: /^sk-[0-9A-Za-z]{48}$/u },
  { vendor: 'OpenRouter', like: `sk-or-v1-${hex(64)}`, looks: /^sk-or-v1-[0-9a-f]{64}$/u },
  { vendor: 'Google, API', like: `AIza${a(33)}-_`, looks: /^AIza[\w-]{35}$/u },
  { vendor: 'Google, OAuth', like: `ya29.${a(120)}-_`, looks: /^ya29\.[\w-]{122}$/u },
  { vendor: 'Groq', like: `gsk_${a(52)}`, looks: /^gsk_[0-9A-Za-z]{52}$/u },
  { vendor: 'Hugging Face', like: 'hf_EXAMPLEexampleEXAMPLEexampleEXAMPL', looks: /^hf_[0-9A-Za-z]{34}$/u },
  { vendor: 'Azure OpenAI', like: hex(32), looks: /^[0-9a-f]{40}$/u },
  { vendor: 'Mistral', like: a(32), looks: /^[0-9A-Za-z]{32}$/u },
  { vendor: 'AWS, key ID', like: 'AKIAIOSFODNN7EXAMPLE', looks: /^AKIA[A-Z2-7]{34}$/u },
  { vendor: 'AWS, secret', like: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', looks: /^[0-9A-Za-z]{40}$/u },
  { vendor: 'Slack', like: `xoxb-012345678901-0123456789012-${a(24)}`, looks: /^xoxb-[\w-]{51}$/u },
  { vendor: 'Stripe', like: `sk_test_${a(24)}`, looks: /^sk_test_[0-9A-Za-z]{30}$/u },
  { vendor: 'SendGrid', like: `SG.${a(22)}.${a(43)}`, looks: /^SG\.[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}$/u },
  { vendor: 'DigitalOcean', like: `dop_v1_${hex(64)}`, looks: /^dop_v1_[0-9a-f]{64}$/u },
  { vendor: 'Databricks', like: `dapi${hex(32)}`, looks: /^dapi[0-9a-f]{40}$/u },
  { vendor: 'Vault', like: `hvs.${a(90)}-_`, looks: /^hvs\.[\w-]{92}$/u },
  { vendor: 'Docker Hub', like: 'dckr_pat_EXAMPLEexample0189-_EXAMPL', looks: /^dckr_pat_[\w-]{30}$/u },
  { vendor: 'Telegram', like: `0123456789:${a(33)}-_`, looks: /^0123456789:[\w-]{35}$/u },
  {
    vendor: 'Heroku, a UUID with a prefix',
    like: 'HRKU-0189abcd-0189-4abc-8abc-0189abcdef01',
    looks: /^HRKU-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-[0-9a-f]{10}$/u,
  },
  {
    vendor: 'a UUID',
    like: '0189abcd-0189-4abc-8abc-0189abcdef01',
    looks: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-[0-9a-f]{10}$/u,
  },
  { vendor: 'a JSON Web Token', like: jwtExample, looks: /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{342}$/u },
  { vendor: 'a short password', like: 'hunter2', looks: /^[0-9a-z]{33}$/u },
  { vendor: 'a password with signs', like: 'p@ss/w0rd!EXAMPLE', looks: /^[0-9A-Za-z]{30}$/u },
  {
    vendor: 'a PEM key',
    like: '-----BEGIN PRIVATE KEY-----\nEXAMPLE\n-----END PRIVATE KEY-----\n',
    looks: /^[0-9A-Za-z]{40}$/u,
  },
  { vendor: 'a JSON key', like: '{"private_key":"EXAMPLE"}', looks: /^[0-9A-Za-z]{40}$/u },
  { vendor: 'nothing', like: '', looks: /^[0-9A-Za-z]{40}$/u },
];
