/** Attempts to change something through a read-only credential, as a client sends them after its login. */
export interface ReadOnlyAttack {
  readonly name: string;
  /** Bytes as latin1. */
  readonly sent: string;
  /** Whether it changes something without a broker, on a server in the state of `batteryFixture`. */
  readonly control: 'changes' | 'harmless';
}

/** The data before each attack: a key of each type, one that expires, a function and a script. */
export const batteryFixture: readonly (readonly string[])[] = [
  ['FLUSHALL'],
  ['SET', 'text', 'hello'],
  ['SET', 'number', '7'],
  ['SET', 'fading', 'soon', 'EX', '1000'],
  ['RPUSH', 'list', 'a', 'b', 'c'],
  ['SADD', 'set', 'a', 'b', 'c'],
  ['ZADD', 'sorted', '1', 'a', '2', 'b'],
  ['HSET', 'hash', 'field', 'value'],
  ['XADD', 'stream', '1-1', 'field', 'value'],
  ['XGROUP', 'CREATE', 'stream', 'group', '0'],
  ['GEOADD', 'places', '13.361389', '38.115556', 'Palermo'],
  ['PFADD', 'guess', 'a'],
  ['FUNCTION', 'FLUSH'],
  ['FUNCTION', 'LOAD', "#!lua name=kept\nredis.register_function('k', function() return 1 end)"],
  ['CONFIG', 'SET', 'maxclients', '1000'],
];

/** An array of bulk strings. */
export function resp(...args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${Buffer.byteLength(arg, 'latin1')}\r\n${arg}\r\n`).join('')}`;
}

const library = "#!lua name=mine\nredis.register_function('f', function() return redis.call('SET', 'text', 'x') end)";

/** Separated by blanks. Each is sent as an array, exactly as written here. */
const plain = `SET text x|set text x|sEt text x|SETEX text 10 x|PSETEX text 10000 x|SETNX new x|GETSET text x|GETDEL text|GETEX text EX 10|GETEX fading PERSIST|APPEND text x
SETRANGE text 0 x|INCR number|DECR number|INCRBY number 2|INCRBYFLOAT number 1.5|MSET text x new y|MSETNX new x|SETBIT text 0 1|BITOP NOT new text|BITFIELD number SET u8 0 1
DEL text|UNLINK text|EXPIRE text 10|PEXPIRE text 10000|EXPIREAT text 4102444800|PERSIST fading|RENAME text other|RENAMENX text other|COPY text other|MOVE text 1|SWAPDB 0 1|FLUSHDB|FLUSHALL ASYNC
LPUSH list x|RPUSHX list x|LPOP list|RPOP list|LSET list 0 x|LREM list 0 a|LTRIM list 0 0|LINSERT list BEFORE a x|LMOVE list list LEFT RIGHT|RPOPLPUSH list other|BLPOP list 1|BLMOVE list list LEFT RIGHT 1|LMPOP 1 list LEFT|BLMPOP 1 1 list LEFT
SADD set x|SREM set a|SPOP set|SMOVE set other a|SINTERSTORE new set|SUNIONSTORE new set|SDIFFSTORE new set|SORT list ALPHA STORE new|ZADD sorted 3 c|ZREM sorted a|ZINCRBY sorted 1 a|ZPOPMIN sorted|BZPOPMAX sorted 1|ZMPOP 1 sorted MIN|ZRANGESTORE new sorted 0 -1|ZUNIONSTORE new 1 sorted
HSET hash field x|HDEL hash field|HINCRBY hash other 1|HSETNX hash other x|HMSET hash field x|XADD stream * a b|XDEL stream 1-1|XTRIM stream MAXLEN 0|XGROUP CREATE stream other 0|XGROUP DESTROY stream group|XREADGROUP GROUP group me STREAMS stream >|XSETID stream 9-9
GEOADD places 1 1 x|GEORADIUS places 13 38 500 km STORE new|GEORADIUSBYMEMBER places Palermo 500 km STORE new|GEOSEARCHSTORE new places FROMMEMBER Palermo BYRADIUS 500 km|PFADD guess x y z|PFMERGE new guess|RESTORE new 0 x
CONFIG SET maxclients 999|config set maxclients 999|Config SET maxclients 999|FUNCTION FLUSH|SCRIPT LOAD return|PUBLISH news x|SPUBLISH news x|CLIENT KILL TYPE normal|CLIENT PAUSE 1|ACL SETUSER eve on nopass ~* +@all|CLIENT NO-EVICT on|LATENCY RESET|MEMORY PURGE|SLOWLOG RESET|SCRIPT FLUSH|MODULE LOAD /tmp/x.so
DEBUG JMAP|SAVE|BGSAVE|BGREWRITEAOF|MIGRATE 127.0.0.1 1 text 0 10|REPLICAOF 127.0.0.1 1|SLAVEOF 127.0.0.1 1|FAILOVER|SHUTDOWN NOSAVE|MONITOR|SYNC|PSYNC ? -1|CLUSTER MEET 127.0.0.1 1|RESET|REPLCONF listening-port 1|PFDEBUG ENCODE guess|RESTORE-ASKING new 0 x|CONFIG GET requirepass|CONFIG REWRITE|ACL LIST`;

/** Commands that have no effect on a server without clients, keys or luck, or that end it. */
const harmless =
  /^(?:RESTORE|PUBLISH|SPUBLISH|CLIENT|SCRIPT|LATENCY|MEMORY|SLOWLOG|MODULE|DEBUG|SAVE|BG|MIGRATE|REPLICAOF|SLAVEOF|FAILOVER|SHUTDOWN|MONITOR|P?SYNC|CLUSTER|RESET|REPLCONF|PFDEBUG|CONFIG GET|CONFIG REWRITE|ACL|GETEX text)/u;

const commands = plain.split(/[|\n]/u).map(
  (line): ReadOnlyAttack => ({
    name: line,
    sent: resp(...line.split(' ')),
    control: harmless.test(line) ? 'harmless' : 'changes',
  }),
);

const others: readonly ReadOnlyAttack[] = [
  { name: 'EVAL that writes', sent: resp('EVAL', "return redis.call('SET', 'text', 'x')", '0'), control: 'changes' },
  {
    name: 'eval by another name of case',
    sent: resp('eVaL', "return redis.call('SET', 'text', 'x')", '0'),
    control: 'changes',
  },
  {
    name: 'EVAL_RO that tries',
    sent: resp('EVAL_RO', "return redis.call('SET', 'text', 'x')", '0'),
    control: 'harmless',
  },
  { name: 'a function', sent: resp('FUNCTION', 'LOAD', library) + resp('FCALL', 'f', '0'), control: 'changes' },
  { name: 'inline', sent: 'SET text x\r\n', control: 'changes' },
  { name: 'inline without CR', sent: 'SET text x\n', control: 'changes' },
  { name: 'inline behind blanks', sent: '   \t set   text\tx\r\n', control: 'changes' },
  { name: 'inline with a quoted name', sent: '"SET" text x\r\n', control: 'changes' },
  { name: 'inline with single quotes', sent: "'SET' 'text' 'x'\r\n", control: 'changes' },
  { name: 'inline with escapes', sent: '"\\x53\\x45\\x54" text x\r\n', control: 'changes' },
  { name: 'inline with a quote in the name', sent: 'S"ET" text x\r\n', control: 'harmless' },
  { name: 'inline behind blank lines', sent: '\r\n\r\n\nSET text x\r\n', control: 'changes' },
  { name: 'inline with a NUL', sent: 'GET text\0SET text x\r\n', control: 'harmless' },
  {
    name: 'behind a good command',
    sent: resp('GET', 'text') + resp('SET', 'text', 'x') + resp('GET', 'text'),
    control: 'changes',
  },
  { name: 'behind an inline command', sent: `GET text\r\n${resp('SET', 'text', 'x')}`, control: 'changes' },
  { name: 'inline behind an array', sent: `${resp('GET', 'text')}SET text x\r\n`, control: 'changes' },
  { name: 'in a transaction', sent: resp('MULTI') + resp('SET', 'text', 'x') + resp('EXEC'), control: 'changes' },
  {
    name: 'in the midst of a transaction',
    sent: resp('MULTI') + resp('GET', 'text') + resp('DEL', 'text') + resp('GET', 'text') + resp('EXEC'),
    control: 'changes',
  },
  {
    name: 'with replies switched off',
    sent: resp('CLIENT', 'REPLY', 'OFF') + resp('SET', 'text', 'x') + resp('CLIENT', 'REPLY', 'ON'),
    control: 'changes',
  },
  {
    name: 'with one reply skipped',
    sent: resp('CLIENT', 'REPLY', 'SKIP') + resp('SET', 'text', 'x'),
    control: 'changes',
  },
  { name: 'in RESP3', sent: resp('HELLO', '3') + resp('SET', 'text', 'x'), control: 'changes' },
  {
    name: 'while subscribed in RESP3',
    sent: resp('HELLO', '3') + resp('SUBSCRIBE', 'news') + resp('SET', 'text', 'x'),
    control: 'changes',
  },
  { name: 'in another database', sent: resp('SELECT', '1') + resp('SET', 'text', 'x'), control: 'changes' },
  { name: 'a name with a blank behind it', sent: resp('SET ', 'text', 'x'), control: 'harmless' },
  { name: 'a name with a blank before it', sent: resp(' SET', 'text', 'x'), control: 'harmless' },
  { name: 'a name with a NUL behind it', sent: resp('SET\0', 'text', 'x'), control: 'harmless' },
  { name: 'a name with more behind a NUL', sent: resp('GET\0SET', 'text', 'x'), control: 'harmless' },
  {
    name: 'a container with its subcommand in one',
    sent: resp('CONFIG|SET', 'maxclients', '999'),
    control: 'harmless',
  },
  { name: 'a container with blanks', sent: resp('CONFIG SET', 'maxclients', '999'), control: 'harmless' },
  { name: 'a container alone', sent: resp('CONFIG'), control: 'harmless' },
  {
    name: 'a subcommand in the name of another container',
    sent: resp('OBJECT', 'SET', 'maxclients', '999'),
    control: 'harmless',
  },
  { name: 'an empty name', sent: resp('', 'SET', 'text', 'x'), control: 'harmless' },
  { name: 'an empty command before it', sent: `*0\r\n${resp('SET', 'text', 'x')}`, control: 'changes' },
  { name: 'a null array before it', sent: `*-1\r\n${resp('SET', 'text', 'x')}`, control: 'changes' },
  { name: 'a null string', sent: '*3\r\n$3\r\nSET\r\n$4\r\ntext\r\n$-1\r\n', control: 'harmless' },
  {
    name: 'a length with a zero before it',
    sent: '*3\r\n$03\r\nSET\r\n$4\r\ntext\r\n$1\r\nx\r\n',
    control: 'harmless',
  },
  { name: 'a count with a plus', sent: '*+3\r\n$3\r\nSET\r\n$4\r\ntext\r\n$1\r\nx\r\n', control: 'harmless' },
  {
    name: 'a string that ends otherwise',
    sent: `*2\r\n$3\r\nGET\r\n$4\r\ntextXX${resp('SET', 'text', 'x')}`,
    control: 'changes',
  },
  {
    name: 'a command within an argument',
    sent: `*2\r\n$3\r\nGET\r\n$${resp('SET', 'text', 'x').length}\r\n${resp('SET', 'text', 'x')}\r\n`,
    control: 'harmless',
  },
  {
    name: 'an argument that is shorter than it says',
    sent: `*2\r\n$3\r\nGET\r\n$2\r\ntext\r\n${resp('SET', 'text', 'x')}`,
    control: 'harmless',
  },
  { name: 'RESP3 types as commands', sent: `~3\r\n$3\r\nSET\r\n$4\r\ntext\r\n$1\r\nx\r\n`, control: 'harmless' },
  { name: 'simple strings as arguments', sent: '*3\r\n+SET\r\n+text\r\n+x\r\n', control: 'harmless' },
  { name: 'a count behind CR alone', sent: '*3\rX$3\r\nSET\r\n$4\r\ntext\r\n$1\r\nx\r\n', control: 'changes' },
  { name: 'more arguments than there may be', sent: `*1048577\r\n$3\r\nDEL\r\n$4\r\ntext\r\n`, control: 'harmless' },
  {
    name: 'a string longer than there may be',
    sent: '*3\r\n$3\r\nSET\r\n$4\r\ntext\r\n$536870913\r\n',
    control: 'harmless',
  },
  {
    name: 'a name of a megabyte',
    sent: resp(`SET${' '.repeat(1 << 20)}`, 'text', 'x') + resp('SET', 'text', 'x'),
    control: 'changes',
  },
  { name: 'HTTP that holds one', sent: 'GET / HTTP/1.1\r\nSET text x\r\n\r\n', control: 'changes' },
];

/** Commands that a read-only credential has to refuse. */
export const readOnlyAttacks: readonly ReadOnlyAttack[] = [...commands, ...others];

/** Commands that it has to pass. */
export const readOnlyUses: readonly (readonly string[])[] = [
  ['GET', 'text'],
  ['MGET', 'text', 'number'],
  ['LRANGE', 'list', '0', '-1'],
  ['SMEMBERS', 'set'],
  ['ZRANGE', 'sorted', '0', '-1'],
  ['HGETALL', 'hash'],
  ['XRANGE', 'stream', '-', '+'],
  ['XREAD', 'COUNT', '1', 'STREAMS', 'stream', '0'],
  ['GEOSEARCH', 'places', 'FROMMEMBER', 'Palermo', 'BYRADIUS', '5', 'km'],
  ['PFCOUNT', 'guess'],
  ['SCAN', '0'],
  ['KEYS', '*'],
  ['TYPE', 'text'],
  ['TTL', 'fading'],
  ['OBJECT', 'ENCODING', 'text'],
  ['MEMORY', 'USAGE', 'text'],
  ['INFO', 'server'],
  ['DBSIZE'],
  ['PING'],
  ['ECHO', 'x'],
  ['SELECT', '0'],
  ['CLIENT', 'SETNAME', 'me'],
  ['CLIENT', 'ID'],
  ['COMMAND', 'COUNT'],
  ['SORT_RO', 'list', 'ALPHA'],
  ['GEORADIUS_RO', 'places', '13', '38', '5', 'km'],
  ['BITFIELD_RO', 'number', 'GET', 'u8', '0'],
  ['TIME'],
  ['DUMP', 'text'],
  ['XINFO', 'STREAM', 'stream'],
  ['EXISTS', 'text'],
];
