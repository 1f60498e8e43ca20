import type { CommandClass } from '../../command-class.ts';

/** Lines that an eighth author found in the wrong class, most by running programs on generated scripts. */
export const parsedLines: Readonly<Record<CommandClass, readonly string[]>> = {
  reads: [
    "awk '/@types/ { print $2 }' a",
    "awk -F@ '{ print $2 }' emails.txt",
    `awk '{ print $1 > "/dev/stderr" }' a`,
    "awk '/^begin/ { getline; print }' a",
    `awk 'BEGIN { while ((getline line < "a") > 0) n++; close("a"); print n }'`,
    `awk 'BEGIN { print ENVIRON["HOME"] }'`,
    "awk '{ print ($1 + $2) / 2 }' a",
    'ls | xargs --process-slot-var=SLOT -n1 cat --',
    'yq -P a.yml',
  ],
  'writes the workspace': [
    `awk 'BEGIN { for (print "x" > "out"; 0; ) ; }'`,
    `awk 'BEGIN { for (; n++ < 1; print "x" > "out") ; }'`,
    `awk '{ } /#/ { print > "f" }' a`,
    `awk '{ if (1) /"/; print "a" > "f" #"/\n}' a`,
    `awk '{ x = /"/; print "a" > "f" #"/\n}' a`,
    `awk '{ x = 3 /="/; print "a" > "f" #"/\n}' a`,
    `awk '{ } /[[:alpha:]/"]/ { print "a" > "f" } #"/' a`,
    'yq -i a.yml',
    'yq -P -i a.yml',
    'yq -iP a.yml',
    'yq eval -i a.yml',
  ],
  'reaches out': ['gawk 1 /inet/tcp/0/h/80', "awk '{ print }' /inet4/udp/0/h/53"],
  'leaves the session behind': [],
  'changes the machine': [],
  destroys: [],
  anything: [
    `awk '{ } /#/ { print | "sh" }' a`,
    `awk '{ if (1) /#/; print | "sh"\n}' a`,
    'ls | xargs --process-slot-var=PATH ls',
    'ls | xargs --process-slot-var=LD_LIBRARY_PATH -n1 cat',
    'ls | xargs --process-slot-var="$V" ls',
  ],
};
