/** A name, or a suffix with all names below it, that stands for the host, its network or its cloud. */
export interface SpecialName {
  readonly name: string;
  /** `tree`: the name itself and every name below it. */
  readonly extent: 'exact' | 'tree';
  readonly meaning: string;
  readonly source: string;
}

/** The most telling first: the first that matches gives the reason. */
export const specialNames: readonly SpecialName[] = [
  { name: 'localhost', extent: 'tree', meaning: 'the host itself', source: 'RFC 6761 §6.3' },
  { name: 'localdomain', extent: 'tree', meaning: 'the host itself', source: 'hosts files of Linux distributions' },
  { name: 'metadata.google.internal', extent: 'tree', meaning: 'instance metadata of Google Cloud', source: 'Google Cloud documentation, VM metadata' },
  { name: 'metadata.goog', extent: 'tree', meaning: 'instance metadata of Google Cloud', source: 'Google Cloud documentation, VM metadata' },
  { name: 'metadata.azure.internal', extent: 'tree', meaning: 'instance metadata of Azure', source: 'Azure documentation, instance metadata service' },
  { name: 'instance-data.ec2.internal', extent: 'tree', meaning: 'instance metadata of AWS', source: 'AWS EC2 user guide, instance metadata' },
  { name: 'metadata.tencentyun.com', extent: 'tree', meaning: 'instance metadata of Tencent Cloud', source: 'Tencent Cloud documentation, CVM metadata' },
  { name: 'api.metadata.cloud.ibm.com', extent: 'tree', meaning: 'instance metadata of IBM Cloud', source: 'IBM Cloud documentation, VPC instance metadata' },
  { name: 'metadata.platformequinix.com', extent: 'tree', meaning: 'instance metadata of Equinix Metal', source: 'Equinix Metal documentation, metadata' },
  { name: 'metadata.packet.net', extent: 'tree', meaning: 'instance metadata of Equinix Metal', source: 'Equinix Metal documentation, metadata' },
  { name: 'host.docker.internal', extent: 'tree', meaning: 'the host of a container', source: 'Docker documentation, networking' },
  { name: 'gateway.docker.internal', extent: 'tree', meaning: 'the gateway of a container', source: 'Docker documentation, networking' },
  { name: 'host.containers.internal', extent: 'tree', meaning: 'the host of a container', source: 'Podman documentation, podman-run --network' },
  { name: 'kubernetes.default', extent: 'tree', meaning: 'the API server of a cluster', source: 'Kubernetes documentation, accessing the API from a pod' },
  { name: 'svc', extent: 'tree', meaning: 'a service of a cluster', source: 'Kubernetes documentation, DNS for services and pods' },
  { name: 'cluster.local', extent: 'tree', meaning: 'a service of a cluster', source: 'Kubernetes documentation, DNS for services and pods' },
  { name: 'local', extent: 'tree', meaning: 'the local link', source: 'RFC 6762 §3' },
  { name: 'internal', extent: 'tree', meaning: 'a private network', source: 'ICANN board resolution 2024.07.29.06' },
  { name: 'home.arpa', extent: 'tree', meaning: 'a home network', source: 'RFC 8375' },
];
