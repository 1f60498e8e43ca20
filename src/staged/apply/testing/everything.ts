/** Not every machine has `setfattr`. */
const xattr = `xattr() { python3 -c 'import os, sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())' "$@"; }`;

/** A workspace with one entry of each kind. */
export const everything = `${xattr}
mkdir -p src/deep/deeper keep gone/below empty modes opaque/sub turn links
echo one >src/one; echo two >src/two; echo three >src/deep/three; echo four >src/deep/deeper/four
echo stays >keep/stays; echo a >gone/a; echo b >gone/below/b; echo x >opaque/x; echo y >opaque/sub/y; echo file >to-directory; echo z >turn/z
echo linked >links/first; ln links/first links/second; ln -s one src/link; mkfifo src/fifo
chmod 640 src/one; chmod 750 modes; touch -d '2001-02-03 04:05:06.789012345' src/two keep
xattr src/one user.colour red; xattr modes user.colour blue
printf 'bytes' >"$(printf 'bad-\\377-name')"; echo n >"$(printf 'new\\nline')"`;

/** Commands that change each of these entries. */
export const changeEverything = `${xattr}
echo more >>src/one; touch -d '1999-09-09 09:09:09.123456789' src/two; chmod 600 src/deep/three
rm -r gone; rmdir empty; mkdir -p fresh/inside; echo new >fresh/inside/file; chmod 711 fresh/inside; touch -d '2011-11-11' fresh/inside
rm -r opaque; mkdir opaque; echo other >opaque/x; echo newer >opaque/new; mkdir opaque/sub; echo q >opaque/sub/q
rm to-directory; mkdir to-directory; echo inside >to-directory/inside; rm -r turn; echo was-directory >turn
mv src/deep/deeper/four src/moved; mv keep kept; chmod 700 modes; xattr modes user.colour green
echo linked-too >>links/first; ln src/one fresh/hard; rm src/link; ln -s two src/link; mkfifo fresh/pipe; ln -s /nowhere fresh/dangling
truncate -s 5M fresh/sparse; printf end >>fresh/sparse
mv "$(printf 'bad-\\377-name')" "$(printf 'worse-\\376')"; echo m >>"$(printf 'new\\nline')"
xattr fresh/inside/file user.shape round`;
