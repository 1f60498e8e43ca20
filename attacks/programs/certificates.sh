# `setup.sh` sources this in the directory of the files. `authority NAME` makes an authority. `server NAME HOST AUTHORITY` makes a key and a certificate in NAME.pem.
authority() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.pem" -subj "/CN=$1" -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2> /dev/null; }
server() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" 2> /dev/null
  echo "subjectAltName=DNS:$2" > extensions
  openssl x509 -req -in "$1.csr" -CA "$3.pem" -CAkey "$3.key" -extfile extensions -out "$1.crt" 2> /dev/null
  cat "$1.key" "$1.crt" > "$1.pem"
}
