/**
 * Configuration keys that only affect looks and names, from git-config(1). Every other key counts as one that can name
 * a program: there are dozens, and each release of git adds more.
 */
const harmless =
  /^(?:color\.[\w.-]+|user\.(?:name|email)|author\.(?:name|email)|committer\.(?:name|email)|core\.(?:quotepath|abbrev|ignorecase|autocrlf|eol|safecrlf|filemode|precomposeunicode|commentchar|whitespace|longpaths)|log\.(?:date|decorate|abbrevcommit|follow|showroot)|diff\.(?:renames|renamelimit|algorithm|context|mnemonicprefix|noprefix|colormoved|wserrorhighlight|statgraphwidth)|status\.(?:short|branch|showuntrackedfiles|relativepaths|showstash)|branch\.sort|tag\.sort|column\.[\w]+|advice\.\w+|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|prunetags)|merge\.(?:ff|conflictstyle|stat)|rebase\.(?:autosquash|autostash|stat)|commit\.(?:verbose|cleanup)|rerere\.enabled|gc\.auto|help\.autocorrect|blame\.(?:date|coloring|showemail|blankboundary)|grep\.(?:linenumber|column|extendedregexp|patterntype|fullname)|versionsort\.suffix|commit\.gpgsign=false|tag\.gpgsign=false)$/u;

/** Whether a key is on the allow-list. Git ignores the case of keys. */
export function isHarmlessKey(assignment: string): boolean {
  const key = assignment.split('=', 1)[0] ?? '';
  return harmless.test(key.toLowerCase()) || harmless.test(assignment.toLowerCase());
}
