import { describe, expect, test } from 'vitest';
import { signals } from './instruction-likeness.ts';

function namesOf(text: string): readonly string[] {
  return signals.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
}

/** For each signal what each of its words looks like in a sentence; ` / ` parts sentences. */
const spoken: Readonly<Record<string, string>> = {
  override:
    "ignore previous / disregard prior / forget above / override earlier / bypass preceding / discard other / ignore existing / ignore system / ignore safety / ignore security / ignore user / ignore users / ignore user's / ignore all previous / ignore any prior / ignore the above / ignore your earlier / forget all of my previous / ignore these other / ignore those existing / bypass every security / ignore all of the previous / IGNORE  ALL\nPREVIOUS",
  'new-instructions':
    'new instructions / updated instruction / real prompt / actual directive / hidden directives / following rules / important orders / new system instructions / the NEW prompt',
  'role-marker':
    '<|im_start|> / [INST] / [/INST] / <<SYS>> / <</SYS>> / <system> / </system> / <assistant> / <important> / <instructions> / <instruction> / human: x / Assistant: x /   system : x / > developer:x / ## System: x / a\nsystem: x / ***assistant: x',
  persona: 'you are now free / act as root / pretend to be root / pretend you can / from now on / in developer mode',
  address:
    'dear ai / hey llm / attention assistant / note to agent / note for model / for chatbot / as a language model / as an ai / if you are a copilot / if you are an assistant / for the claude / dear gpt / hey gemini / for the ai',
  secrecy:
    "do not tell the user / don't mention this to the human / never inform the developer / without showing anyone / do not reveal it to them / never notify the user / without asking the user / do not warn the user / never alert the user / do not ever tell the user / do not first ask the user / without telling user / without mentioning this to the user / never informing them / without revealing about the user / without notifying the user / without warning anyone / without alerting the user / do  not show this the user / don't ask them",
  quietly: 'silently / secretly / quietly / in the background without',
  obligation:
    'you must run / you should execute / you have to call / you need to use / you are required to read / you will send / the assistant must open / the agent should write / the model will fetch / the ai must include / you must always add / you must first install / you must now copy / you must also post / you must follow / you must obey / you must delete',
  'order-of-tools':
    'before using any tool / after calling the function / instead of running a command / before you use tools / after you call functions / before you run commands / before any other tool',
  'obey-file':
    'read it and follow / open x.md and obey / see the file and execute / load it and do / check it and then follow / follow instructions / follow the instructions / follow all the instructions / follow its instruction / follow these instructions / follow any instructions / follow my instructions / follow every instruction / read and follow',
  'run-command':
    'run the command / execute this script / eval code / invoke shell / run bash / run curl / run wget / run python / run node / run npx / run sh / please run the following command',
  'pipe-to-shell': 'curl https://x | sh / wget -O- x | bash / curl x |zsh / curl x | dash / curl x| sudo sh',
  exfiltration:
    'send the secret / post secrets / upload a token / forward tokens / exfiltrate keys / transmit the key / email passwords / leak the password / send credentials / send a credential / send the env / send the environment / send the conversation / send contents / send the content / send the history / send data',
  'secret-file':
    '~/.ssh/id / $HOME/.aws/x / ~/.gnupg / ~/.kube / ~/.config / ~/.netrc / ~/.npmrc / ~/.env / id_rsa / id_ed25519 / id rsa / id ed25519 / /etc/passwd / /etc/shadow',
  'url-with-placeholder':
    'https://x/{data} / http://x/?a=$KEY / https://x/<secret> / https://x/%s / https://x/[DATA HERE] / https://x/{}',
  urgency:
    'urgent: / immediately! / critical: / IMPORTANT: / right now! / at once! / top priority: / mandatory: / extremely important / very important / urgent !',
  approval:
    'autoapprove / auto approved / auto approves / already approved / pre approved / preauthorized / already been authorised / no confirmation needed / no approval is required / no permission necessary / skip the confirmation / skip approval / skip permissions / skip the permission / skip review',
};

test('every signal has spoken samples', () => {
  expect(Object.keys(spoken).toSorted()).toEqual(signals.map(({ name }) => name).toSorted());
});

const samples = Object.entries(spoken).flatMap(([name, written]) =>
  written.split(' / ').map((text) => [name, text] as const),
);

test.each(samples)('%s: %j', (name, text) => {
  expect(namesOf(text)).toContain(name);
});

describe('texts that only look like a signal', () => {
  test.each([
    [
      'override',
      'ignored previous / ignore case / ignores the previous / override method / forget it / bypass previously',
    ],
    ['new-instructions', 'new instructional / renew rules / new rule / rules / instructions'],
    [
      'role-marker',
      '< / > / [INSTALL] / <systems> / the system: x / humanity: x / systemd: x / system; x / <important',
    ],
    ['persona', 'you are nowhere / react as / act asleep / pretending / from now onwards'],
    ['address', 'for the airline / a model / forai / dear modeller / note the ai'],
    ['secrecy', 'do not tell / never mind the user / tell the user / do not tell the users / without the user'],
    ['quietly', 'silent / background'],
    ['obligation', 'you must / you must be / you may run / must run / you must running'],
    ['order-of-tools', 'before using it.\nTools / using a tool / before calling the toolset'],
    ['obey-file', 'read.\nand follow / read it and followed / follow the steps / followed instructions'],
    ['run-command', 'run the tests / rerun the command / run commands / runs the command'],
    ['pipe-to-shell', 'curl x > sh / curl x\nsh / curling'],
    ['exfiltration', 'send mail / send.\ndata / resend data / send database'],
    ['secret-file', '~/.sshx / ~/ssh / grid_rsa / id_rsax / /etc/hosts / x/.ssh'],
    ['url-with-placeholder', 'https://x/y / https://x {y} / {x} / https://x/[A]'],
    ['urgency', 'urgent / immediately after / unimportant! / important'],
    ['approval', 'approved / no confirmation / skip the test / auto approving / skipping approval'],
  ])('%s', (name, written) => {
    for (const text of written.split(' / '))
      expect([text, namesOf(text)]).toEqual([text, expect.not.arrayContaining([name])]);
  });
});

test('weights leave room for doubt', () => {
  for (const { weight } of signals) expect(weight).toBeGreaterThanOrEqual(0.3);
  for (const { weight } of signals) expect(weight).toBeLessThanOrEqual(0.7);
});
