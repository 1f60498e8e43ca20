import { describe, expect, test } from 'vitest';
import { policyFrom, type PolicyTexts, places } from '../../policy/testing/policies.ts';
import { foundFile, sha, trustEntry } from '../testing/values.ts';
import { trustAnswer } from './trust-answer.ts';
import { trustStatus } from './trust-status.ts';

const found = foundFile();
const withScript = foundFile({ scripts: [{ path: 'x.sh', sha256: sha('x') }] });
const rule = (decision: string, more = ''): string =>
  `[[trust]]\nname = "r"\ndecision = "${decision}"\npaths = [".mcp.json"]\n${more}`;
const mine = `sha256 = ["${found.sha256}"]`;
const others = `sha256 = ["${sha('other')}"]`;

function answer(texts: PolicyTexts, approved: 'approved' | 'new', file = found): string {
  const entries = approved === 'approved' ? [trustEntry({ scripts: file.scripts })] : [];
  const [status] = trustStatus({ files: [file] }, { entries });
  const result = trustAnswer(policyFrom(texts), places.workspace, {
    ...(status ?? { path: '', state: 'new' }),
    found: file,
  });
  return result.kind === 'approved' ? `${result.kind} by ${result.by}` : result.kind;
}

describe('a policy and a person', () => {
  test.each<readonly [string, PolicyTexts, readonly [unapproved: string, approved: string]]>([
    ['nothing is said', {}, ['unanswered', 'approved by person']],
    ['a rule allows these bytes', { user: rule('allow', mine) }, ['approved by policy', 'approved by policy']],
    ['a rule has these bytes noted', { user: rule('audit', mine) }, ['approved by policy', 'approved by policy']],
    ['a rule allows other bytes', { user: rule('allow', others) }, ['unanswered', 'approved by person']],
    ['a rule allows any bytes', { user: rule('allow') }, ['approved by policy', 'approved by policy']],
    ['a rule denies', { user: rule('deny') }, ['refused', 'refused']],
    ['a rule denies these bytes', { user: rule('deny', mine) }, ['refused', 'refused']],
    ['a rule denies other bytes', { user: rule('deny', others) }, ['unanswered', 'approved by person']],
    ['a rule asks', { user: rule('ask') }, ['unanswered', 'approved by person']],
    [
      'the administrator denies what the user allows',
      { managed: rule('deny'), user: rule('allow', mine) },
      ['refused', 'refused'],
    ],
    ['the repository allows itself', { project: rule('allow', mine) }, ['unanswered', 'approved by person']],
    ['the repository denies', { project: rule('deny') }, ['refused', 'refused']],
  ])('%s', (_name, texts, answers) => {
    expect([answer(texts, 'new'), answer(texts, 'approved')]).toEqual(answers);
  });

  test('a rule about a file says nothing of the scripts that it names', () => {
    expect([
      answer({ user: rule('allow', mine) }, 'new', withScript),
      answer({ user: rule('allow', mine) }, 'approved', withScript),
    ]).toEqual(['unanswered', 'approved by policy']);
  });
});
