import { expect, test } from 'vitest';
import { brief } from '../testing/brief.ts';

const rows: readonly (readonly [line: string, effects: string])[] = [
  ['docker ps -a', 'reads:/var/run/docker.sock'],
  ['docker run --rm -it -v /srv/project:/w alpine sh', 'writes:./** opaque:inline-code|unknown-option'],
  ['docker run -v ./data:/d:ro alpine', 'reads:data/** opaque:inline-code|unknown-option'],
  ['docker run -v named:/d alpine', 'opaque:inline-code|unknown-option'],
  ['docker run --mount type=bind,source=/etc,target=/e alpine', 'writes:/etc/** opaque:inline-code|unknown-option'],
  ['docker run --privileged alpine', 'opaque:inline-code|unknown-option'],
  ['docker run --pid=host alpine', 'opaque:inline-code|unknown-option'],
  ['docker run --cap-add SYS_ADMIN alpine', 'opaque:inline-code|unknown-option'],
  ['docker run -v /var/run/docker.sock:/s alpine', 'writes:/var/run/docker.sock/** opaque:inline-code|unknown-option'],
  ['docker exec -it c sh', 'opaque:inline-code|unknown-option'],
  ['docker build -t x .', 'reads:./** opaque:repository-code|unknown-option'],
  ['docker build --frob .', 'reads:./** opaque:repository-code|unknown-option'],
  ['docker cp c:/x ./y', 'writes:y/** opaque:unknown-option'],
  ['docker pull alpine', 'hosts:? opaque:unknown-option'],
  ['docker compose up -d', 'opaque:inline-code|repository-code|unknown-option'],
  ['docker-compose logs', 'reads:/var/run/docker.sock'],
  ['docker -H tcp://x ps', 'reads:/var/run/docker.sock opaque:unknown-option'],
  ['docker frob', 'opaque:unknown-tool'],
  ['podman images', 'reads:/var/run/docker.sock'],
  ['buildah bud .', 'opaque:repository-code|unknown-option'],
  ['kubectl get pods -n x', 'hosts:?'],
  ['kubectl apply -f a.yaml', 'reads:a.yaml/** hosts:? opaque:unknown-option'],
  ['kubectl apply -f https://example.com/a.yaml', 'hosts:example.com:443|? opaque:unknown-option'],
  ['kubectl exec -it p -- sh', 'hosts:? opaque:inline-code|unknown-option'],
  ['kubectl cp p:/x y', 'writes:y/** hosts:? opaque:unknown-option'],
  ['kubectl --kubeconfig ./x get pods', 'hosts:? opaque:inline-code'],
  ['kubectl get --frob', 'hosts:? opaque:unknown-option'],
  ['kubectl frob', 'opaque:unknown-tool'],
  ['helm list', 'hosts:?'],
  ['helm install a ./chart --post-renderer ./x', 'hosts:? commands:./x … opaque:inline-code|unknown-option'],
  ['helm frob', 'opaque:unknown-tool'],
  ['terraform fmt', 'writes:./**'],
  ['terraform plan', 'hosts:? opaque:inline-code'],
  ['terraform frob', 'opaque:unknown-tool'],
  ['aws s3 ls', 'hosts:?'],
  ['aws s3 rm s3://x/y', 'hosts:? opaque:unknown-tool'],
  ['aws s3api get-object --bucket x --key y z', 'hosts:? opaque:unknown-tool'],
  ['aws --version', 'nothing'],
  ['ansible-playbook x.yml', 'hosts:? opaque:inline-code'],
];

test.each(rows)('%s', (line, effects) => {
  expect(brief(line)).toBe(effects);
});
