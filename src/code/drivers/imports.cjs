// Runs in the box, as the first part of the function of which driver.cjs is the second.
'use strict';

const importName = '__holdfastImport';

/** A script has neither `import` of its own nor, in REPL mode, `import()`: both become calls. Texts and comments stay as they are. */
// oxlint-disable-next-line no-unused-vars -- driver.cjs calls it
function withoutImports(source) {
  let out = '';
  let last = 0;
  for (const { at, start } of importsOf(source)) {
    if (at < last) continue;
    const [text, length] = replacementOf(source, at, start);
    out += source.slice(last, at) + text;
    last = at + length;
  }
  return out + source.slice(last);
}

const statement = /import\s*(?:([\w$\s{},*]+?)\s*from\s*)?(["'])([^"'\n]+)\2(?:\s*with\s*(\{[^}]*\}))?[^\S\n]*;?/uy;
const call = /import(?=\s*\()/uy;

function replacementOf(source, at, start) {
  call.lastIndex = at;
  if (call.test(source)) return [importName, 'import'.length];
  statement.lastIndex = at;
  const found = start ? statement.exec(source) : null;
  if (found === null) return ['import', 'import'.length];
  const [whole, clause, , from, attributes] = found;
  const loaded = `await ${importName}(${JSON.stringify(from)}${attributes === undefined ? '' : `, { with: ${attributes} }`})`;
  const lines = '\n'.repeat(whole.split('\n').length - 1);
  return [`${bindingsOf(clause, loaded)};${lines}`, whole.length];
}

function bindingsOf(clause, loaded) {
  if (clause === undefined) return loaded;
  const names = /\{([^}]*)\}/u.exec(clause)?.[1].split(',').map((each) => each.trim()).filter((each) => each !== '').map((each) => each.replace(/\s+as\s+/u, ': ')) ?? [];
  const whole = /\*\s*as\s+([\w$]+)/u.exec(clause)?.[1];
  const main = /^\s*([\w$]+)\s*(?:,|$)/u.exec(clause)?.[1];
  const parts = [...(main === undefined ? [] : [`default: ${main}`]), ...names];
  if (whole === undefined) return `const { ${parts.join(', ')} } = ${loaded}`;
  return `const ${whole} = ${loaded}${parts.length === 0 ? '' : `; const { ${parts.join(', ')} } = ${whole}`}`;
}

const skips = { '"': /"(?:[^"\\\n]|\\[^])*"?/uy, "'": /'(?:[^'\\\n]|\\[^])*'?/uy, line: /\/\/[^\n]*/uy, comment: /\/\*[^]*?(?:\*\/|$)/uy, regex: /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/uy, template: /(?:[^`\\$]|\\[^]|\$(?!\{))*/uy, word: /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy, number: /\d[\w.]*/uy };
const beforeRegex = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw', 'new', 'instanceof', 'do', 'else', 'yield', 'await']);

/** Where the word `import` stands in code, and whether a statement starts there. */
function* importsOf(source) {
  const braces = [];
  let before = '';
  let at = 0;
  const skip = (name) => {
    skips[name].lastIndex = at;
    const text = skips[name].exec(source)?.[0] ?? '';
    at += text.length;
    return text;
  };
  const template = () => {
    skip('template');
    if (source[at] === '`') at += 1;
    else if (source.startsWith('${', at)) {
      at += 2;
      braces.push('template');
    }
    before = ')';
  };
  while (at < source.length) {
    const character = source[at];
    if (/\s/u.test(character)) at += 1;
    else if (source.startsWith('//', at)) skip('line');
    else if (source.startsWith('/*', at)) skip('comment');
    else if (character === '"' || character === "'") {
      skip(character);
      before = ')';
    } else if (character === '`') {
      at += 1;
      template();
    } else if (character === '/' && (before === '' || /[^\w$)\]}]$/u.test(before) || beforeRegex.has(before)) && skip('regex') !== '') before = ')';
    else if (/\d/u.test(character)) before = skip('number');
    else {
      const start = at;
      const word = skip('word');
      if (word === 'import' && before !== '.') yield { at: start, start: before === '' || before === ';' || before === '}' || /\n\s*$/u.test(source.slice(0, start)) };
      if (word !== '') {
        before = word;
        continue;
      }
      at += 1;
      before = character;
      if (character === '{') braces.push('block');
      else if (character === '}' && braces.pop() === 'template') template();
    }
  }
}
