#!/usr/bin/env python3
"""The control of attacks on sandbox.code: runs texts as a notebook does that believes its kernel. A value is a line of JSON on
stdout, no matter who wrote it, and files that were made are opened as they are. naive-code.py perform ROWS"""
import glob
import json
import os
import subprocess
import sys

DRIVER = """
import ast, json, sys
names = {'display': print}
for line in sys.stdin:
    tree = ast.parse(json.loads(line))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, 'cell', 'exec'), names)
    value = None if last is None else eval(compile(ast.Expression(last.value), 'cell', 'eval'), names)
    html = getattr(value, '_repr_html_', lambda: str(value))()
    print(json.dumps({'value': html}), flush=True)
"""


def values(language, texts):
    if language == 'shell':
        return subprocess.run(['bash', '-c', '\n'.join(texts)], capture_output=True, text=True).stdout
    if language == 'javascript':
        return subprocess.run(['node', '-e', 'Promise.resolve(eval(process.argv[1])).then(console.log)', *texts], capture_output=True, text=True).stdout
    kernel = subprocess.Popen([sys.executable, '-c', DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for text in texts:
        kernel.stdin.write(json.dumps(text) + '\n')
        kernel.stdin.flush()
        value = json.loads(kernel.stdout.readline())['value']
    kernel.terminate()
    return value


for line in open(sys.argv[2]).read().rstrip('\n').split('\n'):
    row, language, *texts = line.split('\t')
    with open('tried', 'a') as tried:
        tried.write(row + '\n')
    before = set(glob.glob('*.csv'))
    outside = os.path.join(os.environ['ARENA'], 'outside')
    print(values(language, [text.replace('$OUTSIDE', outside).replace('$CANARY', os.environ['CANARY']).replace('\\n', '\n') for text in texts]))
    for name in set(glob.glob('*.csv')) - before:
        print(open(name).read())
