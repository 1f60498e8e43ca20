/**
 * Makes the one global that a tool gets, from functions that take and give texts alone. It runs before the tool and
 * keeps what it uses: a tool that replaces `JSON.parse` or a prototype later changes its own world, and nothing out
 * here.
 */
export const prelude = `(function (call, log, setOutput, configText, input, inputForm) {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze, entries, defineProperty, create } = Object;
  const { apply } = Reflect;
  const { includes } = '';
  const Text = String;
  const Failure = Error;
  const WrongType = TypeError;
  const ask = (what, fields) => {
    const answer = parse(call(what, stringify(fields)));
    if (answer.refused !== undefined) throw new Failure(answer.refused);
    return answer;
  };
  const text = (value, name) => {
    if (typeof value !== 'string') throw new WrongType(name + ' has to be a text');
    return value;
  };
  const across = (value) => (apply(includes, value, ['\\0']) ? [stringify(value), 'json'] : [value, 'plain']);
  const config = create(null);
  for (const [key, value] of entries(parse(configText))) defineProperty(config, key, { value, enumerable: true });
  const holdfast = {
    input: inputForm === 'json' ? parse(input) : input,
    output: freeze((value) => void apply(setOutput, undefined, across(text(value, 'the output')))),
    log: freeze((value, level) => {
      const { 0: line, 1: form } = across(Text(value));
      log(level === undefined ? 'info' : Text(level), line, form);
    }),
    http: freeze((request) => {
      const { url, method = 'GET', headers = {}, body } = typeof request === 'string' ? { url: request } : request;
      const pairs = [];
      for (const [name, value] of entries(headers)) pairs.push([Text(name), Text(value)]);
      const { status, contentType, finalUrl, text: got } = ask('http', { url: text(url, 'url'), method: Text(method), headers: pairs, body: body === undefined ? undefined : text(body, 'body') });
      return { status, contentType, url: finalUrl, body: got };
    }),
    readFile: freeze((path) => ask('readFile', { path: text(path, 'path') }).text),
    writeFile: freeze((path, data) => void ask('writeFile', { path: text(path, 'path'), data: text(data, 'data') })),
    config: freeze(config),
  };
  defineProperty(globalThis, 'holdfast', { value: freeze(holdfast) });
})`;
