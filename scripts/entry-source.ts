import { fullHelp, shortHelp } from '../src/cli/help.ts';
import { commandTable } from '../src/cli/table.ts';

interface PackageJson {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** `dist/holdfast.cjs`. Any Node must parse it: an old one has to read the line that says that it is too old. */
export function entrySource({ version, engines }: PackageJson, build: string): string {
  const [major, minor] = engines.node.replace('>=', '').split('.');
  const names = JSON.stringify(commandTable.map(({ name }) => name));
  return `#!/usr/bin/env node
'use strict';
var version = process.versions.node.split('.');
if (+version[0] < ${major} || (+version[0] === ${major} && +version[1] < ${minor})) {
  process.stderr.write('holdfast: Node ' + process.versions.node + ' is too old: install Node ${major}.${minor} or newer [HF_USAGE]\\n');
  process.exit(125);
}
var commands = ${names};
var name = process.argv[2];
var about = process.argv[3];
if (name === 'version' || name === '-v') name = '--version';
if (name === 'help' && commands.includes(about)) process.argv = process.argv.slice(0, 2).concat(about, '--help');
if (name === undefined && process.stdout.isTTY) process.argv.push('status');
if (name !== '--version') name = process.argv[2];
function endAtOnce(error) {
  if (error.code !== 'EPIPE') process.stderr.write('holdfast: its output cannot be written (' + error.code + ')\\nholdfast: to fix it: make room where it goes, or send it elsewhere [HF_USAGE]\\n');
  process.exit(error.code === 'EPIPE' ? 0 : 125);
}
if (commands.includes(name)) {
${loaderSource(build, '__dirname')}
  // Help runs next to nothing, and would have the next process compile nearly all.
  if (!process.argv.includes('--help') && !process.argv.includes('-h')) process.on('exit', keepAll);
  load('./' + name + '.cjs');
} else if (name === '--version' || name === '-V') {
  process.stdout.on('error', endAtOnce).write('holdfast ${version}\\n');
} else {
  var wantsHelp = name === undefined || name === 'help' || name === '--help' || name === '-h';
  var known = wantsHelp && (about === undefined || about === 'all' || about[0] === '-');
  var help = about === 'all' ? ${JSON.stringify(fullHelp())} : ${JSON.stringify(shortHelp())};
  if (known) process.stdout.on('error', endAtOnce).write(help);
  else {
    var word = wantsHelp ? about : name, ways = {};
    try { ways = require('./completion/actions.json'); } catch { /* Without them the advice is shorter. */ }
    var meant = wantsHelp ? undefined : commands.find(function (command) { return isTypo(command, word); });
    var advice = Object.hasOwn(ways, word) ? 'type \`holdfast ' + ways[word].join('\` or \`holdfast ') + '\`'
      : !wantsHelp && /^[\\w.][\\w.-]*$/.test(word) ? (meant ? 'did you mean \`holdfast ' + meant + '\`? To' : 'to') + ' run a program in a sandbox, type \`holdfast run -- ' + word + ' …\`' : '';
    process.stderr.write('holdfast: there is no command ' + JSON.stringify(word).replace(/[^ -~]/g, (unit) => '\\\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')) + '\\nholdfast: to fix it: ' + advice + (advice && ', or ') + 'see \`holdfast help all\` [HF_USAGE]\\n');
  }
  process.exitCode = known ? 0 : 125;
}
// One letter is missing, added, wrong or swapped with its neighbour.
function isTypo(a, b) {
  var most = Math.max(a.length, b.length), start = 0, end = 0;
  while (start < most && a[start] === b[start]) start += 1;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  var wrong = most - start - end;
  return most > 2 && (wrong < 2 || (wrong === 2 && a.length === b.length && a[start] === b[start + 1] && a[start + 1] === b[start]));
}
`;
}

/**
 * Starts the code of a supervisor thread. A thread would compile its bundle each time, which took 27 of the 97 ms of its
 * start.
 */
export function threadSource(build: string): string {
  return `'use strict';
${loaderSource(build, "require('node:path').dirname(__dirname)")}
  // The process may end without waiting for its threads, but not before it has heard that a box is over.
  require('node:worker_threads').parentPort.once('over', keepAll);
  load('./notify-thread.cjs');
`;
}

/**
 * `dist/holdfast.sh`, the bin of a package, which is one file for all platforms. It starts the front of this platform,
 * or Node without a front. Only `readlink` finds the package. Attack: a workspace called `holdfast` beside a link to
 * the script contains a link to the real script, and a front of its own.
 */
export function binSource(): string {
  return `#!/bin/sh
self=$(readlink -f "$0") && root=\${self%/dist/holdfast.sh} || exit 125
{ read -r machine < /proc/sys/kernel/arch; } 2>/dev/null || machine=$(uname -m)
case $machine in
  x86_64) front=$root/native/build/linux-x64/holdfast ;;
  aarch64) front=$root/native/build/linux-arm64/holdfast ;;
esac
if [ -x "\${front:-}" ]; then exec "$front" "$@"; fi
exec node "$root/dist/holdfast.cjs" "$@"
`;
}

/**
 * Loads bundles, with V8's compiled code of an earlier process. Node also keeps such code
 * (\`module.enableCompileCache\`), but from the moment between the load and the run of a file. Then each process
 * compiles each function again, which took 4 ms of a run.
 *
 * The compiled code is as sensitive as the source. It is in the source's directory and belongs to the owner of the
 * source. If that directory is not writable, it is beside the user's approvals and belongs to the user. So an
 * installation by root is fast for every user. The name contains the bundles, the version of Node and the flags. V8
 * checks them again and refuses code that does not fit.
 */
function loaderSource(build: string, root: string): string {
  return `  var root = ${root};
  var fs = require('node:fs'), vm = require('node:vm');
  var uid = process.getuid ? process.getuid() : 0;
  var owner = fs.statSync(__filename).uid, isOwner = owner === uid;
  var key = '/' + encodeURIComponent(['${build}', process.version, process.arch].concat(process.execArgv, process.env.NODE_OPTIONS || []).join(' ')).slice(0, 240);
  var home = [process.env.XDG_STATE_HOME, process.env.HOME && process.env.HOME + '/.local/state'].find(function (path) { return path && path[0] === '/'; });
  var state = home && home + '/holdfast';
  var shared = root + '/compile-cache', loaded = {}, compiled = [], parts;
  // Attack: after sudo -E, the state directory is in the home of another user, who moves files of root into it.
  var findOwn = function () {
    try {
      var own = state && fs.realpathSync(state);
      if (!own || fs.statSync(own).uid !== uid) return undefined;
      for (var path = own; ; path = path.slice(0, path.lastIndexOf('/')) || '/') {
        var stats = fs.statSync(path);
        if ((stats.uid !== uid && stats.uid !== 0) || (stats.mode & 0o022 && !(stats.mode & 0o1000))) return undefined;
        if (path === '/') return own + '/compile-cache';
      }
    } catch { return undefined; }
  };
  var readCompiled = function (directory, name, user) {
    if (!directory) return undefined;
    var fd;
    try {
      fd = fs.openSync(directory + key + name, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
      var stats = fs.fstatSync(fd);
      return stats.isFile() && stats.uid === user && (stats.mode & 0o022) === 0 ? fs.readFileSync(fd) : undefined;
    } catch { return undefined; } finally { if (fd !== undefined) fs.closeSync(fd); }
  };
  var keep = function (directory, dirMode, fileMode) {
    try {
      if (!fs.existsSync(directory + key)) {
        fs.mkdirSync(directory + key, { recursive: true, mode: dirMode });
        dropOutdated(directory);
      }
      for (var each of compiled) {
        var file = directory + key + each[1];
        fs.writeFileSync(file + '.' + process.pid, each[0].createCachedData(), { mode: fileMode, flag: 'wx', flush: true });
        fs.renameSync(file + '.' + process.pid, file);
      }
      return true;
    } catch { return false; }
  };
  // Compiled code of other versions, which a new version does not replace. A version in use compiles again.
  var dropOutdated = function (directory) {
    for (var name of fs.readdirSync(directory)) {
      var path = directory + '/' + name;
      if (path !== directory + key && Date.now() - fs.lstatSync(path).mtimeMs > 30 * 86400000) fs.rmSync(path, { recursive: true, force: true });
    }
  };
  var load = function (id) {
    if (id.startsWith('node:')) return require(id);
    // A supervisor starts seldom and stays: what was compiled ahead would take 15 MB of it for good.
    if (id.startsWith('../')) return require(root + '/cli/' + id);
    if (!id.startsWith('./')) {
      require('node:module').enableCompileCache(root + '/compile-cache');
      return require(id);
    }
    // A run that has the parts has their planner.
    if (id === './planner.cjs' && loaded['./parts.cjs'] !== undefined) id = './agent-planner.cjs';
    if (loaded[id] !== undefined) return loaded[id].exports;
    var file = root + '/cli' + id.slice(1), name = id.slice(1) + '.bin';
    var known = readCompiled(shared, name, owner) || readCompiled(findOwn(), name, uid);
    var script = new vm.Script('(function (exports, require, module, __filename, __dirname) {' + fs.readFileSync(file, 'utf8') + '\\n})', { filename: file, cachedData: known, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
    if (known === undefined || script.cachedDataRejected) compiled.push([script, name]);
    else if (id === './parts.cjs') parts = [script, name];
    var made = (loaded[id] = { exports: {} });
    script.runInThisContext()(made.exports, load, made, file, root + '/cli');
    return made.exports;
  };
  var keepAll = function () {
    // A part that was asked for the first time was compiled by this process alone.
    if (parts !== undefined && compiled.length > 0) compiled.push(parts);
    if (compiled.length === 0 || (isOwner && keep(shared, 0o755, 0o644))) return;
    var own = findOwn();
    if (own) keep(own, 0o700, 0o600);
  };`;
}
